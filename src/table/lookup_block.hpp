// Ids on their way through the stages of a look-up (shard_worker.hpp): eight, or up to fifteen where a worker
// has only some of the inner shards, as eight are hashed at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/strong.hpp"
#include "table/chunk.hpp"

namespace persia::table {

inline constexpr std::int32_t kBlockRows = 8;

struct LookupBlock {
  template <class T>
  using Each = std::array<T, 2 * kBlockRows>;

  std::size_t size = 0;
  alignas(64) Each<FeatureId> ids;
  alignas(64) Each<std::uint64_t> places;
  Each<std::uint32_t> positions;  // in the batch
  Each<const Chunk*> homes;       // where the searches begin, as long as no row was added since
  Each<RowSlot> slots;            // of the candidates
  Each<std::byte*> rows;          // theirs; nullptr: no candidate
  std::uint32_t absent;           // a bit for each id without a candidate that no other chunk can have either
  std::uint32_t confirmed;        // a bit for each candidate that has the id, as long as no row went since
  std::int64_t added;             // rows of this worker, when the homes were found
  std::int64_t evicted;           // when the candidates were found
};

}  // namespace persia::table
