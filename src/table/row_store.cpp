#include "table/row_store.hpp"

#include "base/error.hpp"

namespace persia::table {

namespace {

constexpr std::int64_t kMaxRows = 0xFFFFFFFF;  // the last slot value means "none"

}  // namespace

// floor((2^64 - 1) / d) + 1 divides every 32-bit number exactly for d >= 2 (Lemire, Kaser, Kurz 2019).
RowStore::RowStore(SlabArena& arena, std::int32_t row_bytes)
    : row_bytes_(static_cast<std::uint32_t>(row_bytes)),
      rows_per_slab_(static_cast<std::uint32_t>(arena.slab_bytes() / row_bytes_)),
      reciprocal_(UINT64_MAX / rows_per_slab_ + 1),
      slabs_(arena) {
  expects(row_bytes > 0 && rows_per_slab_ >= 2, "a record fits a slab at least twice");
}

std::int64_t RowStore::touched_bytes() const {
  if (rows_ == 0) return 0;
  const auto full_slabs = static_cast<std::int64_t>(slabs_.size() - 1);
  const std::int64_t in_last = (rows_ - full_slabs * rows_per_slab_) * row_bytes_;
  constexpr auto page = static_cast<std::int64_t>(kPageBytes);
  return full_slabs * rows_per_slab_ * row_bytes_ + (in_last + page - 1) / page * page;
}

RowSlot RowStore::append() {
  require(rows_ < kMaxRows, "an inner shard cannot hold more than {} rows; use more embedding ranks",
          kMaxRows);
  if (rows_ == static_cast<std::int64_t>(slabs_.size()) * rows_per_slab_) slabs_.add();
  return RowSlot(static_cast<std::uint32_t>(rows_++));
}

}  // namespace persia::table
