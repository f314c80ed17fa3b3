// The rows of one inner shard: fixed-size records in slabs, never moved. A slot is a row's number, in order
// of arrival.
//
// Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong.hpp"
#include "table/slab_arena.hpp"

namespace persia::table {

class RowStore {
 public:
  // Pre: the arena was made for rows of this size.
  RowStore(SlabArena& arena, std::int32_t row_bytes);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  // Whole pages that rows were written to.
  [[nodiscard]] std::int64_t touched_bytes() const;

  // Pre: slot < rows().
  [[nodiscard]] std::byte* row(RowSlot slot) const {
    const auto slab =
        static_cast<std::uint32_t>((static_cast<unsigned __int128>(reciprocal_) * slot.value()) >> 64);
    return slabs_[slab] + static_cast<std::size_t>(slot.value() - slab * rows_per_slab_) * row_bytes_;
  }

  // The next slot; its record holds whatever it holds. Throws OutOfMemory, changing nothing.
  RowSlot append();

 private:
  std::uint32_t row_bytes_;
  std::uint32_t rows_per_slab_;
  std::uint64_t reciprocal_;  // of rows_per_slab_, for an exact division by multiplication
  std::int64_t rows_ = 0;
  Slabs slabs_;
};

}  // namespace persia::table
