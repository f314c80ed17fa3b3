// The order in which an epoch visits its rows, and who gets which of them.
//
// Rows are cut into windows of data.shuffle_rows in file order; within a window they are permuted. Pure
// functions of their arguments, the same on every machine: resumed runs rely on it.
#pragma once

#include <cstdint>
#include <vector>

#include "data/source.hpp"

namespace persia::data {

// A permutation of 0 .. rows - 1. Pre: rows < 2^32. Cost: linear.
[[nodiscard]] std::vector<std::uint32_t> window_permutation(std::uint64_t seed, std::int64_t epoch,
                                                            std::int64_t window, std::int64_t rows);

// The part of a batch of `rows` rows that one of `slice.count` trainers gets: [begin, end).
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
[[nodiscard]] constexpr RowRange slice_range(std::int64_t rows, Slice slice) {
  return {.begin = rows * slice.index / slice.count, .end = rows * (slice.index + 1) / slice.count};
}

}  // namespace persia::data
