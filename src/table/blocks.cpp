// ShardedTable's rows as columns of bytes, out and in.
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "table/row_state.hpp"
#include "table/sharded_table.hpp"

namespace persia::table {

namespace {

// The columns of a block being filled.
struct Columns {
  std::vector<FeatureId> ids;
  std::vector<std::byte> values;
  std::vector<float> state;

  void reserve(const RowLayout& layout, std::int64_t rows) {
    const auto n = static_cast<std::size_t>(rows);
    ids.reserve(n);
    values.reserve(n * static_cast<std::size_t>(layout.value_bytes));
    state.reserve(n * static_cast<std::size_t>(layout.state_floats()));
  }
  void append(const RowLayout& layout, const std::byte* row) {
    ids.push_back(InnerShard::id_of(row));
    const std::byte* const own = row + layout.values_offset;
    values.insert(values.end(), own, own + layout.value_bytes);
    append_state(layout, row, state);
  }
  void clear() {
    ids.clear();
    values.clear();
    state.clear();
  }
};

}  // namespace

void ShardedTable::for_each_block(std::int64_t block_rows,
                                  const std::function<void(const Block&)>& visit) const {
  expects(block_rows > 0, "blocks of at least one row");
  paused_ = true;
  Columns columns;
  columns.reserve(parts_.layout, std::min(block_rows, statistics().rows));
  const auto add = [&](const std::byte* record) {
    columns.append(parts_.layout, record);
    if (static_cast<std::int64_t>(columns.ids.size()) < block_rows) return;
    visit({columns.ids, columns.values, columns.state});
    columns.clear();
  };
  for (const InnerShard& shard : parts_.shards) {
    const std::vector<bool> free = shard.free_slots();
    for (std::size_t slot = 0; slot < free.size(); ++slot) {
      if (free[slot]) continue;
      add(shard.row(RowSlot(static_cast<std::uint32_t>(slot))));
    }
  }
  for (std::uint32_t s = 0; parts_.cold && s < kInnerShards; ++s) parts_.cold->for_each(s, add);
  if (!columns.ids.empty()) visit({columns.ids, columns.values, columns.state});
}

void ShardedTable::insert_block(const Block& block) {
  const std::size_t num_rows = block.ids.size();
  expects(block.values.size() == num_rows * static_cast<std::size_t>(value_bytes()) &&
              block.state.size() == num_rows * static_cast<std::size_t>(state_floats()),
          "values (n, value_bytes) and state (n, state_floats) fit the ids");
  guard_memory([&] { insert(block); });
}

void ShardedTable::insert(const Block& block) {
  const auto value_size = static_cast<std::size_t>(value_bytes());
  const auto state_size = static_cast<std::size_t>(state_floats());
  for (std::size_t i = 0; i < block.ids.size(); ++i) {
    const std::uint64_t place = place_hash(block.ids[i], parts_.schema.salt);
    const auto fill = [&](std::byte* record) {
      std::memcpy(record + parts_.layout.values_offset, block.values.data() + i * value_size, value_size);
      set_state(parts_.layout, block.state.subspan(i * state_size, state_size), record);
    };
    require(!has(block.ids[i], place), "table '{}' was given id {} twice", parts_.schema.name,
            block.ids[i].value());
    InnerShard& shard = parts_.shards[shard_of(place)];
    if (parts_.cold && parts_.eviction.full(shard))
      put_cold(block.ids[i], place, fill);
    else
      fill(shard.row(shard.add(block.ids[i], place)));
  }
}

bool ShardedTable::has(FeatureId id, std::uint64_t place) const {
  const std::uint32_t s = shard_of(place);
  return parts_.shards[s].find(id, place) != kNoSlot || (parts_.cold && parts_.cold->find(s, id, place));
}

template <class Fill>
void ShardedTable::put_cold(FeatureId id, std::uint64_t place, const Fill& fill) {
  std::vector<std::uint64_t> record = parts_.zero_row;
  record.front() = id.value();
  fill(reinterpret_cast<std::byte*>(record.data()));
  parts_.cold->put(shard_of(place), place, reinterpret_cast<const std::byte*>(record.data()));
}

std::vector<std::uint64_t> ShardedTable::sightings() const {
  std::vector<std::uint64_t> words;
  for (const Sightings& seen : parts_.admission.seen()) seen.append_to(words);
  return words;
}

void ShardedTable::insert_sightings(std::span<const std::uint64_t> words) {
  if (parts_.admission.seen().empty()) return;
  for (const std::uint64_t word : words) parts_.admission.seen()[shard_of(word)].insert(word);
}

}  // namespace persia::table
