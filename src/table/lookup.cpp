// ShardWorker::lookup and its stages.
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "table/prefetch.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

namespace {

// How many blocks later a stage follows the first.
constexpr std::size_t kGuessAfter = 3;
constexpr std::size_t kGuessAgainAfter = 6;
constexpr std::size_t kAnswerAfter = 9;

}  // namespace

void ShardWorker::lookup(const LookupBatch& batch) {
  run_stages(batch, shards_, [&](std::uint32_t position, std::uint64_t place, Row& row) {
    return resolve(position, place, batch, row);
  });
  if (batch.purpose == Purpose::train) sweep(batch.ids.size(), batch.when);
}

void ShardWorker::find(const LookupBatch& part, std::size_t first) {
  missing_.clear();
  run_stages(part, kAllShards, [&](std::uint32_t position, std::uint64_t place, Row& row) {
    missing_.push_back({static_cast<std::uint32_t>(first) + position, place});
    row.slot = kNoSlot;
    return zeros();
  });
}

void ShardWorker::look_further(const LookupBatch& batch, std::span<const Missing> missing) {
  for (const auto& [position, place] : missing) {
    if (!mine(shard_of(place))) continue;
    std::byte* const record = resolve(position, place, batch, batch.rows[position]);
    parts_.kernels.gather({&parts_.layout, &record, &position, 1, batch.values.data()});
  }
}

// answer_missing(position, place, row) gives the record and the row of an id that the guesses did not find.
template <class Answer>
void ShardWorker::run_stages(const LookupBatch& batch, std::uint32_t wanted_shards,
                             const Answer& answer_missing) {
  const RequestJob job{batch.ids.data(), batch.ids.size(), parts_.schema.salt, parts_.shards.data(),
                       wanted_shards};
  std::array<LookupBlock, kAnswerAfter + 1> ring;
  std::size_t at = 0;
  for (std::size_t b = 0;; ++b) {
    LookupBlock& newest = ring[b % ring.size()];
    newest.added = counts_.added;
    at = parts_.kernels.request(job, at, newest);
    if (b >= kGuessAfter) guess(ring[(b - kGuessAfter) % ring.size()]);
    if (b >= kGuessAgainAfter) guess_again(ring[(b - kGuessAgainAfter) % ring.size()]);
    if (b < kAnswerAfter) continue;
    LookupBlock& oldest = ring[(b - kAnswerAfter) % ring.size()];
    if (oldest.size == 0) break;
    answer(oldest, batch, answer_missing);
  }
}

// A row that was added may have given its shard another index.
void ShardWorker::guess(LookupBlock& block) const {
  for (std::size_t i = 0; block.added != counts_.added && i < block.size; ++i)
    block.homes[i] = parts_.shards[shard_of(block.places[i])].home(block.places[i]);
  parts_.kernels.guess(parts_.shards.data(), parts_.layout.lookup_bytes(), block);
  block.evicted = counts_.evicted;
}

// One in ten guesses is wrong: another row with the same tag, or a home that was full.
void ShardWorker::guess_again(LookupBlock& block) const {
  block.confirmed = 0;
  for (std::size_t i = 0; i < block.size; ++i) {
    if (block.rows[i] != nullptr && InnerShard::id_of(block.rows[i]) == block.ids[i]) [[likely]] {
      block.confirmed |= 1U << i;
      continue;
    }
    if ((block.absent >> i & 1U) != 0) continue;
    const InnerShard& shard = parts_.shards[shard_of(block.places[i])];
    block.slots[i] = shard.guess_again(block.places[i], block.slots[i]);
    block.rows[i] = block.slots[i] == kNoSlot ? nullptr : shard.row(block.slots[i]);
    if (block.rows[i] != nullptr) prefetch_record(block.rows[i], parts_.layout.lookup_bytes());
  }
}

template <class Answer>
void ShardWorker::answer(LookupBlock& block, const LookupBatch& batch, const Answer& answer_missing) {
  const bool evicts = parts_.eviction.on();
  for (std::size_t i = 0; i < block.size; ++i) {
    Row& row = batch.rows[block.positions[i]];
    row = {shard_of(block.places[i]), block.slots[i]};
    // The record of a candidate that was evicted since may still show its id.
    if (block.evicted != counts_.evicted || !is_right(block, i)) [[unlikely]]
      block.rows[i] = answer_missing(block.positions[i], block.places[i], row);
    if (evicts && !row.absent()) block.rows[i] = use(block, i, batch, row);
  }
  parts_.kernels.gather({&parts_.layout, block.rows.data(), block.positions.data(),
                         static_cast<std::int32_t>(block.size), batch.values.data()});
}

bool ShardWorker::is_right(const LookupBlock& block, std::size_t i) {
  return (block.confirmed >> i & 1U) != 0 ||
         (block.rows[i] != nullptr && InnerShard::id_of(block.rows[i]) == block.ids[i]);
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
  return record;
}

std::byte* ShardWorker::add(FeatureId id, std::uint64_t place, Moment when, Row& row) {
  InnerShard& shard = parts_.shards[row.shard];
  if (parts_.eviction.on()) make_room(place, when, shard);
  row.slot = shard.add(id, place);
  ++counts_.added;
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
