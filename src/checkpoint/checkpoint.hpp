// Checkpoints on disk: format, save, load, verify. Format 1 is written down in src/checkpoint/README.md.
//
//   DIRECTORY/step-000000000123/        complete once manifest.json is there
//     embedding-0000-of-0002.h5         one per owner: /tables/<name>/{ids, values, state}, attributes
//     dense.h5                          /parameters/<block>, /optimizer/<state>
//     manifest.json                     written last: format, step, position, run file, every file's bytes
//     and checksum
//   DIRECTORY/LATEST                    name of the newest complete one, replaced by rename
//
// Writing: everything under step-N.tmp, synced, renamed (save.cpp). A crash at any moment leaves older
// checkpoints good. Readers trust a complete manifest only. All functions are local to one process; train/
// and serve/ do the talking.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "data/batch.hpp"
#include "data/source.hpp"
#include "model/dense_optimizer.hpp"
#include "model/network.hpp"
#include "table/table.hpp"

namespace persia::checkpoint {

struct FileEntry {
  std::string name;  // relative to the step folder
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;
  std::int64_t rows = 0;  // embedding rows in it
};

struct Manifest {
  Step step;
  data::Position position;
  data::DenseStatistics statistics;  // of the training data; evaluation must transform as training did
  std::string created;               // UTC
  std::string run_file;              // resolved YAML
  std::int32_t num_owners = 0;
  std::vector<FileEntry> files;
};

// --- one save ---
// Trainer 0: makes (emptying) DIRECTORY/step-N.tmp and gives its path, which owners and itself write into.
[[nodiscard]] std::filesystem::path begin_save(const std::filesystem::path& directory, Step step);
// Owner: writes its file and syncs it.
[[nodiscard]] FileEntry save_tables(const std::filesystem::path& step_folder, OwnerIndex owner,
                                    std::int32_t num_owners, Step step,
                                    std::span<const std::unique_ptr<table::Table>> tables);
// Trainer 0: writes dense.h5.
[[nodiscard]] FileEntry save_dense(const std::filesystem::path& step_folder, Step step,
                                   model::Network& network, model::DenseOptimizer& optimizer);
// Trainer 0: manifest, rename, LATEST, then removes the oldest ones beyond `keep`.
std::filesystem::path finish_save(const std::filesystem::path& step_folder, const Manifest& manifest,
                                  std::int32_t keep);

// --- reading ---
// The newest complete checkpoint under DIRECTORY, or nullopt. Accepts the path of a step folder too.
// UserError if DIRECTORY has damaged ones only: a fresh start would write over them.
[[nodiscard]] std::optional<std::filesystem::path> find_newest(const std::filesystem::path& directory);
[[nodiscard]] Manifest read_manifest(const std::filesystem::path& step_folder);
// UserError naming the file and what differs (missing, bytes, checksum).
void verify(const std::filesystem::path& step_folder, const Manifest& manifest);
// Loads the rows that belong to `owner` of `num_owners` now, from all files of the checkpoint, however many
// owners wrote it. Post: returns rows loaded over all tables. UserError if a table's dim, precision or
// optimizer differs.
std::int64_t load_tables(const std::filesystem::path& step_folder, const Manifest& manifest, OwnerIndex owner,
                         std::int32_t num_owners, std::span<const std::unique_ptr<table::Table>> tables);
void load_dense(const std::filesystem::path& step_folder, model::Network& network,
                model::DenseOptimizer* optimizer);

}  // namespace persia::checkpoint
