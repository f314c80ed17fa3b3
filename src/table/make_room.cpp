// ShardWorker's rows that are used, go, or are too old.
#include <vector>

#include "table/row_state.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

// A row that is too old is absent: it starts anew when training, and answers zeros otherwise.
std::byte* ShardWorker::use(std::byte* record, const LookupBatch& batch, Row& row) {
  const bool expired = parts_.eviction.expired(record, batch.when.oldest_open);
  if (batch.purpose == Purpose::evaluate) {
    if (!expired) return record;
    ++counts_.unseen;
    row.slot = kNoSlot;
    return zeros();
  }
  if (expired) {
    note_evicted(record, batch.when.step);
    give_first_values(record, batch.when.step);
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

// Looks at two slots for each id, so that rows go faster than they can come; use() takes expired ones for
// absent in any case.
void ShardWorker::sweep(std::size_t num_ids, Moment when) {
  if (parts_.schema.table.eviction.ttl_steps == 0) return;
  for (std::size_t i = 0; i < 2 * num_ids; ++i) {
    const auto s = static_cast<std::uint32_t>(i % kInnerShards);
    if (!mine(s)) continue;
    InnerShard& shard = parts_.shards[s];
    if (shard.slots() == 0) continue;
    const RowSlot slot(parts_.sweep[s] = (parts_.sweep[s] + 1) % static_cast<std::uint32_t>(shard.slots()));
    if (parts_.eviction.expired(shard.row(slot), when.oldest_open)) evict(shard, slot, when.step);
  }
}

void ShardWorker::evict(InnerShard& shard, RowSlot slot, Step now) {
  std::byte* const record = shard.row(slot);
  note_evicted(record, now);
  shard.erase(slot);
  parts_.eviction.end(record);
}

void ShardWorker::note_evicted(std::byte* record, Step now) {
  ++counts_.evicted;
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
