// One trainer's part of one global batch, as columns. Plain data, moved between threads.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/strong.hpp"

namespace persia::data {

// Where training stands: enough to continue exactly (order and shuffle are functions of seed and epoch).
struct Position {
  std::int64_t epoch = 0;
  std::int64_t batch_in_epoch = 0;  // next global batch to deliver
  auto operator<=>(const Position&) const = default;
};

// Ids of one categorical column: sample i has ids[offsets[i]] .. ids[offsets[i + 1]).
struct IdColumn {
  std::vector<std::int32_t> offsets;  // (num_samples + 1)
  std::vector<FeatureId> ids;
};

struct Batch {
  std::int64_t epoch = 0;
  std::int64_t batch_in_epoch = 0;
  std::int64_t global_rows = 0;   // rows of the whole global batch, all trainers, skipped ones included: the
                                  // denominator of means
  std::int32_t num_samples = 0;   // of this trainer; may be 0
  std::vector<float> dense;       // (num_samples, num_dense)
  std::vector<float> labels;      // (num_samples) 0 or 1; empty for label: none
  std::vector<IdColumn> columns;  // one per Schema column
  std::vector<std::int64_t>
      row_numbers;  // (num_samples) place in the data set, from 0 over all files in order
};

// Counted while reading, over the life of a source; summed over trainers for the log.
struct ReadCounts {
  std::int64_t rows = 0;  // samples delivered, without the skipped ones
  std::int64_t skipped_rows = 0;
  std::int64_t blank_dense = 0;
  std::int64_t blank_categories = 0;
  std::int64_t truncated_lists = 0;
  std::int64_t bad_ids = 0;  // at num_ids or above: left out or hashed

  ReadCounts& operator+=(const ReadCounts& more) {
    rows += more.rows;
    skipped_rows += more.skipped_rows;
    blank_dense += more.blank_dense;
    blank_categories += more.blank_categories;
    truncated_lists += more.truncated_lists;
    bad_ids += more.bad_ids;
    return *this;
  }
};

}  // namespace persia::data
