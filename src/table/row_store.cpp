#include "table/row_store.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace persia::table {

namespace {

constexpr std::size_t kLargeSlabs = 32;
constexpr std::size_t kMaxExtentSlabs = 512;   // 1 GiB: few enough mappings for terabytes
constexpr std::int64_t kMaxRows = 0xFFFFFFFF;  // the last slot value means "none"

}  // namespace

// floor(2^64 / d) + 1 divides every 32-bit number exactly for d >= 2 (Lemire, Kaser, Kurz 2019).
RowStore::RowStore(std::int32_t row_bytes)
    : row_bytes_(static_cast<std::uint32_t>(row_bytes)),
      rows_per_slab_(static_cast<std::uint32_t>(kHugePageBytes / row_bytes_)),
      reciprocal_(UINT64_MAX / rows_per_slab_ + 1) {
  expects(row_bytes > 0 && rows_per_slab_ >= 2, "a record fits a slab at least twice");
}

std::int64_t RowStore::resident_bytes() const {
  if (slabs_.empty()) return 0;
  const auto before_last = static_cast<std::int64_t>(slabs_.size() - 1);
  const std::size_t in_last = static_cast<std::size_t>(rows_ - before_last * rows_per_slab_) * row_bytes_;
  const std::size_t last =
      slabs_.size() > kLargeSlabs ? kHugePageBytes : (in_last + kPageBytes - 1) / kPageBytes * kPageBytes;
  return before_last * static_cast<std::int64_t>(kHugePageBytes) + static_cast<std::int64_t>(last);
}

RowSlot RowStore::append() {
  if (rows_ == static_cast<std::int64_t>(slabs_.size()) * rows_per_slab_) add_slab();
  require(rows_ < kMaxRows, "an inner shard cannot hold more than {} rows; use more embedding ranks",
          kMaxRows);
  return RowSlot(static_cast<std::uint32_t>(rows_++));
}

void RowStore::add_slab() {
  if (slabs_.size() == slabs_.capacity()) slabs_.reserve(2 * slabs_.size() + 1);  // before anything changes
  if (extent_left_slabs_ == 0) {
    const std::size_t num_slabs = std::clamp<std::size_t>(slabs_.size() / 8, 1, kMaxExtentSlabs);
    extents_.emplace_back(num_slabs * kHugePageBytes);
    extent_left_slabs_ = num_slabs;
  }
  if (!slabs_.empty() && slabs_.size() <= kLargeSlabs) gather_into_huge_page(slabs_.back());
  const Pages& extent = extents_.back();
  std::byte* const slab = extent.data() + extent.bytes() - extent_left_slabs_ * kHugePageBytes;
  if (slabs_.size() >= kLargeSlabs) prefer_huge_pages(slab, kHugePageBytes);
  slabs_.push_back(slab);
  --extent_left_slabs_;
}

}  // namespace persia::table
