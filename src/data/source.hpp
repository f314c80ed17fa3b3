// Where batches come from. Every trainer opens the same data and gets its slice of every global batch.
//
// Global batch b of epoch e is a pure function of (files, seed, e, b, batch_size): the number of trainers
// only decides who gets which rows of it (trainer k of T: rows [k n / T, (k + 1) n / T) of its n rows). Every
// row of an epoch is delivered exactly once; the last batch may be partial, some slices empty; all trainers
// get the same number of batches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "config/schema.hpp"
#include "data/batch.hpp"

namespace persia::data {

struct Slice {
  std::int32_t index = 0;
  std::int32_t count = 1;
};

// mean and 1 / standard deviation per dense column, fitted on training rows only; identity where not needed.
struct DenseStatistics {
  std::vector<double> mean;   // (num_dense)
  std::vector<double> scale;  // (num_dense) multiplier after the mean is taken away
};

class BatchSource {
 public:
  virtual ~BatchSource() = default;
  // The next global batch's slice; nullopt at the end of the epoch. UserError ("FILE:LINE: ...") on bad data.
  virtual std::optional<Batch> next() = 0;
  // Passes over the next global batch without parsing a row; false at the end of the epoch.
  virtual bool skip() = 0;
  [[nodiscard]] virtual const ReadCounts& counts() const = 0;
};

struct SourceOptions {
  std::vector<std::filesystem::path> files;  // from expand_files(); empty for synthetic
  Slice slice;
  std::int32_t batch_size = 4096;  // global
  bool shuffle = false;
  std::uint64_t seed = 1;
  Position start;
  DenseStatistics statistics;
};

// Opens one epoch (start.epoch) from start.batch_in_epoch on. Not thread safe: one reader thread owns it.
[[nodiscard]] std::unique_ptr<BatchSource> open_source(const config::Data& data, const config::Schema& schema,
                                                       const SourceOptions& options);

// Paths and globs to files, sorted by bytes within a glob, in the order written. Relative ones are relative
// to data.directory, that one to the run file's folder; ${NAME} in both is replaced from the environment.
// UserError for a pattern without a match, an empty file, a directory, a file named twice, or a variable that
// is not set.
[[nodiscard]] std::vector<std::filesystem::path> expand_files(const config::Data& data,
                                                              const std::vector<std::string>& patterns,
                                                              const std::filesystem::path& run_file_folder);

}  // namespace persia::data
