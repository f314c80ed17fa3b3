// Which bits of an id's place hash choose what inside one owner's table.
//
//   bits 63 .. 32   owner, as a contiguous range of the whole word (roles/): its leading bits are the same in
//   one
//                   table, the trailing ones used here are not
//   bits 42 .. 36   tag, the control byte of the index
//   bits 35 .. 32   inner shard
//   bits 31 ..  0   position in the inner shard's index, as a fraction of its length
//
// Pure functions. Owners up to 2^20 leave tag and shard uniformly spread.
#pragma once

#include <cstdint>

namespace persia::table {

inline constexpr std::uint32_t kInnerShards = 16;

[[nodiscard]] constexpr std::uint32_t shard_of(std::uint64_t place) {
  return static_cast<std::uint32_t>(place >> 32) % kInnerShards;
}

[[nodiscard]] constexpr std::uint32_t position_of(std::uint64_t place) {
  return static_cast<std::uint32_t>(place);
}

// Never 0, which marks a free entry.
[[nodiscard]] constexpr std::uint8_t tag_of(std::uint64_t place) {
  return static_cast<std::uint8_t>(0x80U | (place >> 36));
}

}  // namespace persia::table
