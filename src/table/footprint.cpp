#include "table/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "table/index.hpp"
#include "table/inner_shard.hpp"
#include "table/place.hpp"
#include "table/row_layout.hpp"
#include "table/slab_arena.hpp"

namespace persia::table {

namespace {

// The expected bytes of one shard's index that has grown with its rows, whose number is spread like a
// binomial one around `mean`; of two indexes while one follows the other.
double expected_index_bytes(double mean, std::uint32_t shard) {
  const double deviation = std::sqrt(mean * (1.0 - 1.0 / kInnerShards));
  const auto probability_above = [&](std::int64_t rows) {
    return 0.5 *
           std::erfc((static_cast<double>(rows) - mean) / (std::max(1e-9, deviation) * std::numbers::sqrt2));
  };
  Index::Size size = Index::size_for(0);
  auto bytes = static_cast<double>(size.bytes());
  for (double probability = 1; probability > 1e-12;) {
    probability = probability_above(size.capacity_rows);
    const Index::Size next = Index::size_for(grown_capacity(size.capacity_rows, shard));
    const std::int64_t grown = size.capacity_rows + rows_of_growth(size.capacity_rows, shard);
    bytes += probability * static_cast<double>(next.bytes());
    bytes -= probability_above(grown) * static_cast<double>(size.bytes());
    size = next;
  }
  return bytes;
}

}  // namespace

Footprint predict_footprint(const config::Table& table, std::int64_t rows) {
  expects(rows >= 1, "a footprint is asked for at least one row");
  const std::int32_t record = make_row_layout(table).row_bytes;
  const auto slab = static_cast<double>(slab_bytes_for(record));
  const double mean = static_cast<double>(rows) / kInnerShards;
  const double rows_per_slab = std::floor(slab / record);
  // The last slab of rows, the last of the index and the table's last huge page are half empty on average.
  const double row_slabs = mean / rows_per_slab + 0.5;
  double bytes = kInnerShards * (row_slabs + 0.5) * slab + kHugePageBytes / 2.0;
  for (std::uint32_t shard = 0; shard < kInnerShards; ++shard) bytes += expected_index_bytes(mean, shard);
  return {.record_bytes = static_cast<double>(record), .bytes_per_row = bytes / static_cast<double>(rows)};
}

// Bytes per row depend little on the number of rows: twice is near enough.
std::int64_t rows_within(const config::Table& table, std::int64_t bytes) {
  constexpr std::int64_t most =
      kInnerShards * std::int64_t{0x80000000};  // far below what 32 bits of a slot can tell apart
  std::int64_t rows = std::clamp<std::int64_t>(bytes / make_row_layout(table).row_bytes, 1, most);
  for (int i = 0; i < 2; ++i) {
    const double fitting = static_cast<double>(bytes) / predict_footprint(table, rows).bytes_per_row;
    rows = static_cast<std::int64_t>(std::clamp(fitting, 1.0, static_cast<double>(most)));
  }
  return rows;
}

}  // namespace persia::table
