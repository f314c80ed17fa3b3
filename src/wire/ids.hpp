// Ids of one table on the wire: as they are, or packed.
//
// Packed, an id is its distance to the one before (the first: to 0) in groups of seven bits, the lowest
// first, each in a byte whose top bit says that another follows (LEB128). Ids that are hashes lie so far
// apart that this would save nothing; numbers count up in one or two bytes. What stands for a table is padded
// with zeros to a multiple of eight bytes. Pure functions. Callers: embed (pack), serve (unpack).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/strong.hpp"

namespace persia::wire {

// Appends the ids, packed where that takes at most half of their bytes. Returns the bytes without the
// padding: 8 ids.size() if they stand as they are. Pre: ascending, body.size() a multiple of 8.
std::uint32_t append_ids(std::span<const FeatureId> ids, std::vector<std::byte>& body);

// Fills `ids` from all of `packed`. False, and `ids` hold anything, unless that is as many ascending ids.
[[nodiscard]] bool unpack_ids(std::span<const std::byte> packed, std::span<FeatureId> ids);

}  // namespace persia::wire
