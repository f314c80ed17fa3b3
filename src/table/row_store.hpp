// The rows of one inner shard: fixed-size records in 2 MiB slabs that never move. A slot is a row's number,
// in order of arrival.
//
// The slab being filled becomes resident page by page and turns into a huge page when it is full; from
// kLargeSlabs on (where half an empty slab no longer counts) slabs are huge pages from their first touch.
// Slabs come from extents, which are reserved address space of at most an eighth of what is there. Not thread
// safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/strong.hpp"
#include "table/pages.hpp"

namespace persia::table {

class RowStore {
 public:
  // Pre: 0 < row_bytes <= 2 MiB.
  explicit RowStore(std::int32_t row_bytes);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t resident_bytes() const;

  // Pre: slot < rows().
  [[nodiscard]] std::byte* row(RowSlot slot) const {
    const auto slab =
        static_cast<std::uint32_t>((static_cast<unsigned __int128>(reciprocal_) * slot.value()) >> 64);
    return slabs_[slab] + static_cast<std::size_t>(slot.value() - slab * rows_per_slab_) * row_bytes_;
  }

  // A zeroed record with the next slot. Throws OutOfMemory, changing nothing.
  RowSlot append();

 private:
  void add_slab();

  std::uint32_t row_bytes_;
  std::uint32_t rows_per_slab_;
  std::uint64_t reciprocal_;  // of rows_per_slab_, for an exact division by multiplication
  std::int64_t rows_ = 0;
  std::vector<std::byte*> slabs_;  // in extents_
  std::vector<Pages> extents_;
  std::size_t extent_left_slabs_ = 0;
};

}  // namespace persia::table
