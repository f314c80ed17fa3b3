// One look at the training data before training: size, statistics of dense columns, warnings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "data/source.hpp"

namespace persia::data {

struct Survey {
  std::int64_t rows = 0;  // counted rows; exact if `complete`
  bool complete = false;  // all rows were read (needed when a column is standardised), or only a sample
  DenseStatistics statistics;
  std::vector<std::string> warnings;  // "dense column 'price' has values up to 3.5e+18 ...; use standardise"
};

// Reads everything if some dense column wants statistics, otherwise the first 100,000 rows. Deterministic.
// Called by one trainer, which broadcasts the result.
[[nodiscard]] Survey survey(const config::Data& data, const config::Schema& schema,
                            const std::vector<std::filesystem::path>& files);

}  // namespace persia::data
