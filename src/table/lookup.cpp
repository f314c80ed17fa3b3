// ShardWorker::lookup and its stages.
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "table/lookup_block.hpp"
#include "table/prefetch.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

namespace {

// How many blocks later a stage follows the first.
constexpr std::size_t kGuessAfter = 4;
constexpr std::size_t kGuessAgainAfter = 8;
constexpr std::size_t kAnswerAfter = 12;

}  // namespace

void ShardWorker::lookup(const LookupBatch& batch) {
  std::array<LookupBlock, kAnswerAfter + 1> ring;
  std::size_t at = 0;
  for (std::size_t b = 0;; ++b) {
    at = request(ring[b % ring.size()], batch.ids, at);
    if (b >= kGuessAfter) guess(ring[(b - kGuessAfter) % ring.size()]);
    if (b >= kGuessAgainAfter) guess_again(ring[(b - kGuessAgainAfter) % ring.size()]);
    if (b < kAnswerAfter) continue;
    LookupBlock& oldest = ring[(b - kAnswerAfter) % ring.size()];
    if (oldest.size == 0) break;
    answer(oldest, batch);
  }
  if (batch.purpose == Purpose::train) sweep(batch.ids.size(), batch.when);
}

// Fills the block from ids[at] on. Returns where the next one begins.
std::size_t ShardWorker::request(LookupBlock& block, std::span<const FeatureId> ids, std::size_t at) const {
  block.size = 0;
  for (; at < ids.size() && block.size < kBlockRows; ++at) {
    const std::uint64_t place = place_hash(ids[at], parts_.schema.salt);
    if (!mine(shard_of(place))) continue;
    block.positions[block.size] = static_cast<std::uint32_t>(at);
    block.ids[block.size] = ids[at];
    block.places[block.size] = place;
    ++block.size;
    parts_.shards[shard_of(place)].prefetch(place);
  }
  return at;
}

void ShardWorker::guess(LookupBlock& block) const {
  block.evicted = counts_.evicted;
  for (std::size_t i = 0; i < block.size; ++i)
    propose(block, i, parts_.shards[shard_of(block.places[i])].guess(block.places[i]));
}

// One in ten guesses is wrong: another row with the same tag, or a home that was full.
void ShardWorker::guess_again(LookupBlock& block) const {
  for (std::size_t i = 0; i < block.size; ++i) {
    if (block.rows[i] != nullptr && InnerShard::id_of(block.rows[i]) == block.ids[i]) continue;
    const InnerShard& shard = parts_.shards[shard_of(block.places[i])];
    propose(block, i, shard.guess_again(block.places[i], block.slots[i]));
  }
}

void ShardWorker::propose(LookupBlock& block, std::size_t i, RowSlot slot) const {
  block.slots[i] = slot;
  block.rows[i] = slot == kNoSlot ? nullptr : parts_.shards[shard_of(block.places[i])].row(slot);
  if (slot != kNoSlot) prefetch_lines(block.rows[i], parts_.layout.lookup_bytes());
}

void ShardWorker::answer(LookupBlock& block, const LookupBatch& batch) {
  const bool evicts = parts_.eviction.on();
  if (batch.purpose == Purpose::train) counts_.looked_up += static_cast<std::int64_t>(block.size);
  for (std::size_t i = 0; i < block.size; ++i) {
    Row& row = batch.rows[block.positions[i]];
    row = {shard_of(block.places[i]), block.slots[i]};
    // The record of a candidate that was evicted since may still show its id.
    const bool found = block.rows[i] != nullptr && block.evicted == counts_.evicted &&
                       InnerShard::id_of(block.rows[i]) == block.ids[i];
    if (!found) block.rows[i] = resolve(block.positions[i], block.places[i], batch, row);
    if (evicts && !row.absent()) block.rows[i] = use(block, i, batch, row);
  }
  parts_.kernels.gather({&parts_.layout, block.rows.data(), block.positions.data(),
                         static_cast<std::int32_t>(block.size), batch.values.data()});
}

// What a guess could not answer: the row of the id wherever it stands, a new one, or the record of zeros.
std::byte* ShardWorker::resolve(std::uint32_t position, std::uint64_t place, const LookupBatch& batch,
                                Row& row) {
  const FeatureId id = batch.ids[position];
  row.slot = parts_.shards[row.shard].find(id, place);
  if (row.slot != kNoSlot) return parts_.shards[row.shard].row(row.slot);
  if (parts_.cold)
    if (const auto from = parts_.cold->find(row.shard, id, place))
      return resolve_cold(position, place, *from, batch, row);
  if (batch.purpose == Purpose::evaluate) {
    ++counts_.unseen;
    return zeros();
  }
  if (!parts_.admission.admits(id, place)) {
    ++counts_.not_admitted;
    return zeros();
  }
  return create(id, place, batch.when, row);
}

std::byte* ShardWorker::create(FeatureId id, std::uint64_t place, Moment when, Row& row) {
  std::byte* const record = add(id, place, when, row);
  give_first_values(record, when.step);
  ++counts_.created;
  return record;
}

std::byte* ShardWorker::add(FeatureId id, std::uint64_t place, Moment when, Row& row) {
  InnerShard& shard = parts_.shards[row.shard];
  if (parts_.eviction.on()) make_room(place, when, shard);
  row.slot = shard.add(id, place);
  return shard.row(row.slot);
}

// Pre: the record holds its id.
void ShardWorker::give_first_values(std::byte* record, Step now) {
  parts_.first_values.fill(InnerShard::id_of(record), first_row_);
  parts_.kernels.store(parts_.layout, first_row_.data(), record);
  const RowLayout& layout = parts_.layout;
  std::memcpy(record + layout.state_offset,
              reinterpret_cast<const std::byte*>(parts_.first_row.data()) + layout.state_offset,
              static_cast<std::size_t>(layout.row_bytes - layout.state_offset));
  if (parts_.eviction.on()) parts_.eviction.start(record, now);
}

}  // namespace persia::table
