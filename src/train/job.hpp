// One run of train, eval or predict over all ranks: from the run file to the result.
//
// Collective over the world communicator: every rank calls run_job with the same arguments and learns its
// role inside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "config/run_file.hpp"
#include "observe/watcher.hpp"
#include "sys/communicator.hpp"

namespace persia::train {

enum class Task { train, evaluate, predict };

struct JobOptions {
  Task task = Task::train;
  bool resume = false;       // train: go on from the newest complete checkpoint, if there is one
  bool overwrite = false;    // train: an earlier training's checkpoints may be replaced
  std::string checkpoint{};  // evaluate, predict: a step folder or a checkpoint folder; "" = the run's own
  std::filesystem::path output{};  // predict: .csv, .h5 or .hdf5
  // train, for measuring: neither evaluates nor writes any file, and the first steps are left out of the
  // rates.
  bool measure_only = false;
  std::int64_t warm_up_steps = 0;
};

// The result of trainer 0 (the object behind `result `), null on the other ranks. Throws
// roles::StoppedTogether on every rank when the run stops in an orderly way; Error on any rank otherwise.
// `watcher` is made by it and stays with the caller, who announces such an Error once it is printed.
[[nodiscard]] nlohmann::json run_job(const config::RunFile& run, const JobOptions& options,
                                     const sys::Communicator& world,
                                     std::unique_ptr<observe::Watcher>& watcher);

}  // namespace persia::train
