// A look into a checkpoint without a training: for `persia inspect`.
//
// Error or UserError as in checkpoint.hpp. Thread safety: as HDF5, one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "checkpoint/checkpoint.hpp"

namespace persia::checkpoint {

struct TableContents {
  std::string name;
  std::int64_t rows = 0;  // over all owners
  std::int64_t dim = 0;
  std::string precision;
  std::string optimizer;
  std::string state_names;     // "accumulator", "m,v,count", or ""
  std::int64_t row_bytes = 0;  // id, values and state of one row
};

struct SampledRows {
  std::vector<FeatureId> ids;  // (n)
  std::vector<float> values;   // (n, dim), as a look-up answers them
};

struct DenseContents {
  std::string name;
  std::vector<std::int64_t> shape;
};

// In order of the tables' names.
[[nodiscard]] std::vector<TableContents> list_tables(const std::filesystem::path& step_folder,
                                                     const Manifest& manifest);
[[nodiscard]] std::vector<DenseContents> list_parameters(const std::filesystem::path& step_folder);

// The first `limit` rows of a table, owner by owner. UserError naming the nearest table if there is none of
// this name.
[[nodiscard]] SampledRows sample_rows(const std::filesystem::path& step_folder, const Manifest& manifest,
                                      const std::string& table, std::int64_t limit);

}  // namespace persia::checkpoint
