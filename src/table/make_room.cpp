// ShardWorker's rows that are used, go, or are too old.
#include <vector>

#include "base/hash.hpp"
#include "table/row_state.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

namespace {

// Rows of a shard above its limit that go in one look-up at least, so that a table that was given a limit
// later comes to it.
constexpr std::size_t kMinShrunk = 16;

}  // namespace

// A row that is too old is absent: when training it goes, and its id comes like a new one; otherwise it
// answers zeros.
std::byte* ShardWorker::use(LookupBlock& block, std::size_t i, const LookupBatch& batch, Row& row) {
  std::byte* record = block.rows[i];
  const bool expired = parts_.eviction.expired(record, batch.when.oldest_open);
  if (batch.purpose == Purpose::evaluate) {
    if (!expired) return record;
    ++counts_.unseen;
    row.slot = kNoSlot;
    return zeros();
  }
  if (expired) {
    evict(parts_.shards[row.shard], row.slot, batch.when.step);
    record = resolve(block.positions[i], block.places[i], batch, row);
    if (row.absent()) return record;
  }
  parts_.eviction.use(record, batch.when.step);
  return record;
}

// Two for one: a shard that outgrew its share while its rows were in use comes back to it.
void ShardWorker::make_room(std::uint64_t place, Moment when, InnerShard& shard) {
  for (int i = 0; i < 2; ++i) {
    const RowSlot slot = parts_.eviction.victim(shard, place, when);
    if (slot == kNoSlot) return;
    evict(shard, slot, when.step);
  }
}

// Rows that are too old, and those above the limit, go whether or not new ones come.
void ShardWorker::sweep(std::size_t num_ids, Moment when) {
  if (!parts_.eviction.on()) return;
  for (std::uint32_t s = 0; s < kInnerShards; ++s) {
    if (!mine(s)) continue;
    if (parts_.eviction.has_ttl()) sweep_expired(s, 2 * num_ids / kInnerShards + 1, when);
    shrink(s, 2 * num_ids / kInnerShards + kMinShrunk, when);
  }
}

// Two slots for each id, so that rows go faster than they can come; use() takes expired ones for absent in
// any case.
void ShardWorker::sweep_expired(std::uint32_t s, std::size_t num_slots, Moment when) {
  InnerShard& shard = parts_.shards[s];
  for (std::size_t i = 0; i < num_slots && shard.slots() > 0; ++i) {
    const RowSlot slot(parts_.sweep[s] = (parts_.sweep[s] + 1) % static_cast<std::uint32_t>(shard.slots()));
    if (parts_.eviction.expired(shard.row(slot), when.oldest_open)) evict(shard, slot, when.step);
  }
}

void ShardWorker::shrink(std::uint32_t s, std::size_t max_rows, Moment when) {
  InnerShard& shard = parts_.shards[s];
  for (std::size_t i = 0; i < max_rows && parts_.eviction.above_limit(shard); ++i) {
    const RowSlot slot = parts_.eviction.victim(shard, mix64(i), when);
    if (slot == kNoSlot) return;
    evict(shard, slot, when.step);
  }
}

void ShardWorker::evict(InnerShard& shard, RowSlot slot, Step now) {
  std::byte* const record = shard.row(slot);
  ++counts_.evicted;
  if (parts_.cold) {
    const std::uint64_t place = place_hash(InnerShard::id_of(record), parts_.schema.salt);
    parts_.cold->put(shard_of(place), place, record);
  } else {
    tell_evicted(record, now);
  }
  shard.erase(slot);
  parts_.eviction.end(record);
}

void ShardWorker::tell_evicted(std::byte* record, Step now) const {
  if (!parts_.on_evicted) return;
  constexpr std::uint32_t first = 0;
  std::vector<float> values(static_cast<std::size_t>(parts_.layout.dim));
  parts_.kernels.gather({&parts_.layout, &record, &first, 1, values.data()});
  std::vector<float> state;
  append_state(parts_.layout, record, state);
  const std::scoped_lock lock(parts_.telling);
  parts_.on_evicted({parts_.schema, InnerShard::id_of(record), now, values, state});
}

}  // namespace persia::table
