#include "table/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "table/index.hpp"
#include "table/inner_shard.hpp"
#include "table/place.hpp"
#include "table/row_layout.hpp"
#include "table/slab_arena.hpp"

namespace persia::table {

namespace {

// The rows of an inner shard: spread over shards like a binomial number, or the same in all.
struct Spread {
  double mean = 0;
  double deviation = 0;

  [[nodiscard]] double above(double rows) const {
    return 0.5 * std::erfc((rows - mean) / (std::max(1e-9, deviation) * std::numbers::sqrt2));
  }
};

// Expected of one shard.
struct IndexSize {
  double bytes = 0;
  double slabs = 0;

  void add(double share, const Index::Size& size, double slab) {
    const auto own = static_cast<double>(size.bytes());
    bytes += share * own;
    slabs += share * std::ceil(own / slab);
  }
};

// Of an index that has grown with its rows; of two while one follows the other.
IndexSize expected_index(const Spread& rows, std::uint32_t shard, double slab) {
  Index::Size size = Index::size_for(0);
  IndexSize result;
  result.add(1, size, slab);
  for (double probability = 1; probability > 1e-12;) {
    probability = rows.above(static_cast<double>(size.capacity_rows));
    const Index::Size next = Index::size_for(grown_capacity(size.capacity_rows, shard));
    const std::int64_t grown = size.capacity_rows + rows_of_growth(size.capacity_rows, shard);
    result.add(probability, next, slab);
    result.add(-rows.above(static_cast<double>(grown)), size, slab);
    size = next;
  }
  return result;
}

// Of one shard: a slab for every so many rows, and one for what is left.
double expected_row_slabs(const Spread& rows, double rows_per_slab) {
  const double reach = 8 * rows.deviation;
  const double certain = std::max(1.0, std::floor((rows.mean - reach) / rows_per_slab));
  double slabs = certain;
  for (double full = certain * rows_per_slab; full < rows.mean + reach; full += rows_per_slab)
    slabs += rows.above(full);
  return slabs;
}

class TableFootprint {
 public:
  explicit TableFootprint(const config::Table& table)
      : record_(make_row_layout(table).row_bytes),
        slab_(static_cast<double>(slab_bytes_for(make_row_layout(table).row_bytes))) {}

  [[nodiscard]] double record() const { return record_; }

  // Everything: pages that were touched while the table is small, huge pages from then on, some of them
  // ahead.
  [[nodiscard]] double bytes(const Spread& rows) const {
    double index_bytes = 0, slabs = 0;
    for (std::uint32_t shard = 0; shard < kInnerShards; ++shard) {
      const IndexSize index = expected_index(rows, shard, slab_);
      index_bytes += index.bytes;
      slabs += index.slabs;
    }
    slabs =
        std::max(slabs + kInnerShards * expected_row_slabs(rows, rows_per_slab()), most_slabs_before(rows));
    if (slabs > static_cast<double>(kSlabsOfSmallArena))
      return std::ceil(slabs * slab_ / kHugePageBytes) * kHugePageBytes +
             static_cast<double>(prepared_bytes(static_cast<std::size_t>(slabs * slab_)));
    // Of each shard's last page of rows, half on average.
    return kInnerShards * (rows.mean * record_ + kPageBytes / 2.0) + index_bytes;
  }

 private:
  [[nodiscard]] double rows_per_slab() const { return std::floor(slab_ / record_); }
  // Small indexes grow in all shards at the same time, and no slab that both took goes back.
  [[nodiscard]] double most_slabs_before(const Spread& rows) const {
    double most = 0;
    for (std::int64_t capacity = Index::size_for(0).capacity_rows; capacity <= kSmallIndexRows;
         capacity = Index::size_for(grown_capacity(capacity, 0)).capacity_rows) {
      const double mean =
          static_cast<double>(capacity) + static_cast<double>(rows_of_growth(capacity, 0)) / 2;
      if (mean > rows.mean) break;
      const Spread then{mean, rows.deviation * std::sqrt(mean / rows.mean)};
      most = std::max(most, kInnerShards * (expected_index(then, 0, slab_).slabs +
                                            expected_row_slabs(then, rows_per_slab())));
    }
    return most;
  }

  double record_;
  double slab_;
};

}  // namespace

Footprint predict_footprint(const config::Table& table, std::int64_t rows) {
  expects(rows >= 1, "a footprint is asked for at least one row");
  const TableFootprint footprint(table);
  const double mean = static_cast<double>(rows) / kInnerShards;
  const Spread spread{mean, std::sqrt(mean * (1.0 - 1.0 / kInnerShards))};
  return {.record_bytes = footprint.record(),
          .bytes_per_row = footprint.bytes(spread) / static_cast<double>(rows)};
}

std::int64_t rows_within(const config::Table& table, std::int64_t bytes) {
  constexpr std::int64_t most =
      kInnerShards * std::int64_t{0x80000000};  // far below what 32 bits of a slot can tell apart
  const TableFootprint footprint(table);
  std::int64_t fits = 1;
  std::int64_t too_many = most;
  while (fits + 1 < too_many) {
    const std::int64_t rows = std::midpoint(fits, too_many);
    const Spread even{.mean = static_cast<double>(rows) / kInnerShards};
    (footprint.bytes(even) <= static_cast<double>(bytes) ? fits : too_many) = rows;
  }
  return fits;
}

}  // namespace persia::table
