// Bodies of a look-up's first two stages, inlined into one function per instruction set by kernels_*.cpp
// only.
//
// Isa gives what differs: hash(ids, salt, places), eight place_hash() at a time, and matches(chunk, tag), a
// bit for each entry of a chunk with that control byte. PortableIsa serves everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"
#include "table/kernels.hpp"
#include "table/prefetch.hpp"

namespace persia::table {

struct PortableIsa {
  [[gnu::always_inline]] static void hash(const FeatureId* ids, std::uint64_t salt, std::uint64_t* places) {
    for (std::int32_t i = 0; i < kBlockRows; ++i) places[i] = place_hash(ids[i], salt);
  }
  [[gnu::always_inline]] static std::uint32_t matches(const Chunk& chunk, std::uint8_t tag) {
    return Matches(chunk, tag).bits();
  }
};

template <class Isa>
struct Probe {
  [[gnu::always_inline]] static std::size_t request(const RequestJob& job, std::size_t at,
                                                    LookupBlock& block) {
    if (job.wanted_shards == kAllShards && job.num_ids - at >= kBlockRows) [[likely]] {
      Isa::hash(job.ids + at, job.salt, block.places.data());
      for (std::size_t i = 0; i < kBlockRows; ++i) ask(job, at + i, block.places[i], i, block);
      block.size = kBlockRows;
      return at + kBlockRows;
    }
    block.size = 0;
    while (block.size < kBlockRows && at < job.num_ids) at = request_some(job, at, block);
    return at;
  }

  [[gnu::always_inline]] static void guess(const InnerShard* shards, std::int32_t lookup_bytes,
                                           LookupBlock& block) {
    block.absent = 0;
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::uint64_t place = block.places[i];
      const Chunk& home = *block.homes[i];
      const std::uint32_t found = Isa::matches(home, tag_of(place));
      const InnerShard& shard = shards[shard_of(place)];
      if (found == 0) [[unlikely]] {
        block.slots[i] = kNoSlot;
        block.rows[i] = nullptr;
        if (home.passed > 0)
          shard.prefetch_second(place);
        else
          block.absent |= 1U << i;
        continue;
      }
      const RowSlot slot(home.slots[static_cast<std::size_t>(std::countr_zero(found))]);
      std::byte* const row = shard.row(slot);
      block.slots[i] = slot;
      block.rows[i] = row;
      prefetch_record(row, lookup_bytes);
    }
  }

 private:
  // Those of the next eight that are wanted.
  [[gnu::always_inline]] static std::size_t request_some(const RequestJob& job, std::size_t at,
                                                         LookupBlock& block) {
    alignas(64) std::array<std::uint64_t, kBlockRows> places;
    const std::size_t count = std::min<std::size_t>(kBlockRows, job.num_ids - at);
    if (count == kBlockRows)
      Isa::hash(job.ids + at, job.salt, places.data());
    else
      for (std::size_t i = 0; i < count; ++i) places[i] = place_hash(job.ids[at + i], job.salt);
    std::size_t size = block.size;
    for (std::size_t i = 0; i < count; ++i)
      if ((job.wanted_shards >> shard_of(places[i]) & 1U) != 0) ask(job, at + i, places[i], size++, block);
    block.size = size;
    return at + count;
  }

  [[gnu::always_inline]] static void ask(const RequestJob& job, std::size_t at, std::uint64_t place,
                                         std::size_t i, LookupBlock& block) {
    const Chunk* const home = job.shards[shard_of(place)].home(place);
    prefetch_line(home);
    block.homes[i] = home;
    block.places[i] = place;
    block.ids[i] = job.ids[at];
    block.positions[i] = static_cast<std::uint32_t>(at);
  }
};

}  // namespace persia::table
