// Bodies of a look-up's first two stages, inlined into one function per instruction set by kernels_*.cpp
// only.
//
// Isa gives what differs: hash(ids, salt, places), eight place_hash() at a time, and matches(chunk, tag), a
// bit for each entry of a chunk with that control byte. PortableIsa serves everywhere.
#pragma once

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
      for (std::size_t i = 0; i < kBlockRows; ++i) ask(job, at + i, i, block);
      block.size = kBlockRows;
      return at + kBlockRows;
    }
    std::size_t size = 0;
    for (; at < job.num_ids && size < kBlockRows; ++at) {
      const std::uint64_t place = place_hash(job.ids[at], job.salt);
      if ((job.wanted_shards >> shard_of(place) & 1U) == 0) continue;
      block.places[size] = place;
      ask(job, at, size++, block);
    }
    block.size = size;
    return at;
  }

  [[gnu::always_inline]] static void guess(const InnerShard* shards, std::int32_t lookup_bytes,
                                           LookupBlock& block) {
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::uint64_t place = block.places[i];
      const Chunk& home = *block.homes[i];
      const std::uint32_t found = Isa::matches(home, tag_of(place));
      const InnerShard& shard = shards[shard_of(place)];
      if (found == 0) [[unlikely]] {
        block.slots[i] = kNoSlot;
        block.rows[i] = nullptr;
        if (home.passed > 0) shard.prefetch_second(place);
        continue;
      }
      const RowSlot slot(home.slots[static_cast<std::size_t>(std::countr_zero(found))]);
      std::byte* const row = shard.row(slot);
      block.slots[i] = slot;
      block.rows[i] = row;
      prefetch_row(row, lookup_bytes);
    }
  }

 private:
  [[gnu::always_inline]] static void ask(const RequestJob& job, std::size_t at, std::size_t i,
                                         LookupBlock& block) {
    const Chunk* const home = job.shards[shard_of(block.places[i])].home(block.places[i]);
    prefetch_line(home);
    block.homes[i] = home;
    block.ids[i] = job.ids[at];
    block.positions[i] = static_cast<std::uint32_t>(at);
  }
};

}  // namespace persia::table
