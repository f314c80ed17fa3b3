// The orders in which a benchmark visits the rows of a table, in batches of distinct rows.
//
// Pure functions of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace persia::commands {

// Rows that one call of the table handles at most.
inline constexpr std::size_t kBatchRows = 16384;

struct VisitOrder {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> batch_ends;  // of each batch in `rows`, ascending

  // Calls run(begin, size) for every batch.
  template <class Run>
  void for_each_batch(const Run& run) const {
    std::size_t begin = 0;
    for (const std::size_t end : batch_ends) {
      run(begin, end - begin);
      begin = end;
    }
  }
};

// Rows 0 .. rows - 1, each once, as they stand and in random order. Pre of all: 1 <= rows < 2^32.
[[nodiscard]] VisitOrder arrival_order(std::int64_t rows);
[[nodiscard]] VisitOrder uniform_order(std::int64_t rows);

// As many draws as `popularity` has rows, its first row the most frequent: 1 / rank^exponent. kBatchRows
// draws make a batch, in which a row stands once however often it was drawn. Pre: exponent > 0, not 1.
[[nodiscard]] VisitOrder zipf_order(std::span<const std::uint32_t> popularity, double exponent);

}  // namespace persia::commands
