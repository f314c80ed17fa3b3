// What every role program of a job is given. Immutable once it is complete.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "config/run_file.hpp"
#include "config/schema.hpp"
#include "data/survey.hpp"
#include "roles/teams.hpp"
#include "train/job.hpp"

namespace persia::train {

// The checkpoint that a job starts from.
struct StartPoint {
  std::filesystem::path folder;
  checkpoint::Manifest manifest;
};

struct Setting {
  const config::RunFile& run;
  const JobOptions& options;
  config::Schema schema;
  roles::Teams teams;
  std::optional<StartPoint> start;
  // Trainers and workers only:
  std::vector<std::filesystem::path> train_files, test_files;
  data::Survey survey;

  [[nodiscard]] Step first_step() const { return start ? start->manifest.step : Step(0); }
  [[nodiscard]] std::filesystem::path checkpoint_folder() const;
  [[nodiscard]] bool leads() const { return teams.world.rank() == teams.trainer_ranks.front(); }
  // This rank writes resolved.yaml and the run log: trainer 0 of a training that is no mere measurement.
  [[nodiscard]] bool keeps_records() const {
    return leads() && options.task == Task::train && !options.measure_only;
  }
};

// Step folders lie there, complete or damaged; what a dead save left behind (.tmp) does not count.
[[nodiscard]] bool holds_checkpoints(const std::filesystem::path& folder);

// Collective over the world: agrees on the run file and makes teams.
[[nodiscard]] Setting begin_setting(const config::RunFile& run, const JobOptions& options,
                                    const sys::Communicator& world);
// Collective over the world: finds checkpoint and files, surveys the data, which may take long.
void complete_setting(Setting& setting);

}  // namespace persia::train
