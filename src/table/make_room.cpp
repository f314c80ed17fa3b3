// ShardedTable's rows that are used, go, or are too old.
#include <vector>

#include "table/row_state.hpp"
#include "table/sharded_table.hpp"

namespace persia::table {

// A row that is too old is absent: it starts anew when training, and answers zeros otherwise.
std::byte* ShardedTable::use(std::byte* record, Purpose purpose, Moment when, Row& row) {
  const bool expired = eviction_.expired(record, when.oldest_open);
  if (purpose == Purpose::evaluate) {
    if (!expired) return record;
    ++unseen_;
    row.slot = kNoSlot;
    return zeros();
  }
  if (expired) {
    note_evicted(record, when.step);
    give_first_values(record, when.step);
  }
  eviction_.use(record, when.step);
  return record;
}

// Two for one: a shard that outgrew its share while its rows were in use comes back to it.
void ShardedTable::make_room(std::uint64_t place, Moment when, InnerShard& shard) {
  for (int i = 0; i < 2; ++i) {
    const RowSlot slot = eviction_.victim(shard, place, when);
    if (slot == kNoSlot) return;
    evict(shard, slot, when.step);
  }
}

// Looks at two slots for each id, so that rows go faster than they can come; use() takes expired ones for
// absent in any case.
void ShardedTable::sweep(std::size_t num_ids, Moment when) {
  if (schema_.table.eviction.ttl_steps == 0) return;
  for (std::size_t i = 0; i < 2 * num_ids; ++i) {
    const std::size_t s = i % kInnerShards;
    InnerShard& shard = shards_[s];
    if (shard.slots() == 0) continue;
    const RowSlot slot(sweep_[s] = (sweep_[s] + 1) % static_cast<std::uint32_t>(shard.slots()));
    if (eviction_.expired(shard.row(slot), when.oldest_open)) evict(shard, slot, when.step);
  }
}

void ShardedTable::evict(InnerShard& shard, RowSlot slot, Step now) {
  std::byte* const record = shard.row(slot);
  note_evicted(record, now);
  shard.erase(slot);
  eviction_.end(record);
}

void ShardedTable::note_evicted(std::byte* record, Step now) {
  ++evicted_;
  if (!on_evicted_) return;
  std::vector<float> values(static_cast<std::size_t>(layout_.dim));
  kernels_.gather({&layout_, &record, 1, values.data()});
  std::vector<float> state;
  append_state(layout_, record, state);
  on_evicted_({schema_, InnerShard::id_of(record), now, values, state});
}

}  // namespace persia::table
