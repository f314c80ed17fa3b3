// Where records stand in the blocks that the rows of a table go to when they leave memory.
//
// A block holds records one after the other from its start, and nothing behind the last that fits. A location
// names a block of an inner shard and a place in it:  location = block * block_rows + index.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong.hpp"

namespace persia::table {

// Of a record, within its inner shard.
using ColdLocation = Strong<struct ColdLocationTag, std::uint32_t>;

struct ColdLayout {
  std::size_t row_bytes;
  std::size_t block_bytes;
  std::uint32_t block_rows;

  [[nodiscard]] ColdLocation location(std::uint32_t block, std::uint32_t index) const {
    return ColdLocation(block * block_rows + index);
  }
  [[nodiscard]] std::uint32_t block_of(ColdLocation location) const { return location.value() / block_rows; }
  // In its block, in bytes.
  [[nodiscard]] std::size_t offset_of(ColdLocation location) const {
    return location.value() % block_rows * row_bytes;
  }
  // More have no locations.
  [[nodiscard]] std::uint32_t max_blocks() const { return UINT32_MAX / block_rows; }
};

// Blocks of 4096 bytes, or of the smallest multiple of which records leave at most an eighth unused.
// Pre: records have room for their id.
[[nodiscard]] ColdLayout make_cold_layout(std::int32_t row_bytes);

}  // namespace persia::table
