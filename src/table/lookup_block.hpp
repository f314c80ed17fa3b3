// What lookup.cpp and make_room.cpp share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "table/kernels.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

// A block of ids on its way through the stages.
struct ShardWorker::LookupBlock {
  std::size_t size = 0;
  std::array<std::uint32_t, kBlockRows> positions;  // in the batch
  std::array<FeatureId, kBlockRows> ids;
  std::array<std::uint64_t, kBlockRows> places;
  std::array<RowSlot, kBlockRows> slots;
  std::array<std::byte*, kBlockRows> rows;  // nullptr: no candidate
  std::int64_t evicted;                     // rows of this worker, when the candidates were found
};

}  // namespace persia::table
