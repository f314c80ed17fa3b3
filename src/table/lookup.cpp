// ShardedTable::lookup and its stages.
#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "table/prefetch.hpp"
#include "table/sharded_table.hpp"

namespace persia::table {

namespace {

// How many blocks later a stage follows the first.
constexpr std::size_t kGuessAfter = 4;
constexpr std::size_t kGuessAgainAfter = 8;
constexpr std::size_t kAnswerAfter = 12;

}  // namespace

// A block of ids on its way through the stages.
struct ShardedTable::LookupBlock {
  std::span<const FeatureId> ids;
  std::array<std::uint64_t, kBlockRows> places;
  std::array<RowSlot, kBlockRows> slots;
  std::array<std::byte*, kBlockRows> rows;  // nullptr: no candidate
  std::int64_t evicted;                     // rows of the table, when the candidates were found
};

void ShardedTable::lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values,
                          std::span<Row> rows, Moment when) {
  expects(values.size() == ids.size() * static_cast<std::size_t>(layout_.dim) && rows.size() == ids.size(),
          "values (n, dim) and rows (n) fit the ids");
  constexpr std::size_t block = kBlockRows;
  const std::size_t num_blocks = (ids.size() + block - 1) / block;
  std::array<LookupBlock, kAnswerAfter + 1> ring;
  for (std::size_t b = 0; b < num_blocks + kAnswerAfter; ++b) {
    if (b < num_blocks)
      request(ring[b % ring.size()], ids.subspan(b * block, std::min(block, ids.size() - b * block)));
    if (b >= kGuessAfter && b - kGuessAfter < num_blocks) guess(ring[(b - kGuessAfter) % ring.size()]);
    if (b >= kGuessAgainAfter && b - kGuessAgainAfter < num_blocks)
      guess_again(ring[(b - kGuessAgainAfter) % ring.size()]);
    if (b < kAnswerAfter) continue;
    LookupBlock& oldest = ring[(b - kAnswerAfter) % ring.size()];
    const std::size_t begin = (b - kAnswerAfter) * block;
    answer(oldest, purpose, when, rows.subspan(begin, oldest.ids.size()),
           values.data() + begin * static_cast<std::size_t>(layout_.dim));
  }
  if (purpose == Purpose::train) sweep(ids.size(), when);
}

void ShardedTable::request(LookupBlock& block, std::span<const FeatureId> ids) const {
  block.ids = ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    block.places[i] = place_hash(ids[i], schema_.salt);
    shards_[shard_of(block.places[i])].prefetch(block.places[i]);
  }
}

void ShardedTable::guess(LookupBlock& block) const {
  block.evicted = evicted_;
  for (std::size_t i = 0; i < block.ids.size(); ++i)
    propose(block, i, shards_[shard_of(block.places[i])].guess(block.places[i]));
}

// One in ten guesses is wrong: another row with the same tag, or a home that was full.
void ShardedTable::guess_again(LookupBlock& block) const {
  for (std::size_t i = 0; i < block.ids.size(); ++i) {
    if (block.rows[i] != nullptr && InnerShard::id_of(block.rows[i]) == block.ids[i]) continue;
    const InnerShard& shard = shards_[shard_of(block.places[i])];
    propose(block, i, shard.guess_again(block.places[i], block.slots[i]));
  }
}

void ShardedTable::propose(LookupBlock& block, std::size_t i, RowSlot slot) const {
  block.slots[i] = slot;
  block.rows[i] = slot == kNoSlot ? nullptr : shards_[shard_of(block.places[i])].row(slot);
  if (slot != kNoSlot) prefetch_lines(block.rows[i], layout_.lookup_bytes());
}

void ShardedTable::answer(LookupBlock& block, Purpose purpose, Moment when, std::span<Row> rows,
                          float* values) {
  for (std::size_t i = 0; i < block.ids.size(); ++i) {
    rows[i] = {shard_of(block.places[i]), block.slots[i]};
    // The record of a candidate that was evicted since may still show its id.
    const bool found = block.rows[i] != nullptr && block.evicted == evicted_ &&
                       InnerShard::id_of(block.rows[i]) == block.ids[i];
    if (!found) block.rows[i] = resolve(block.ids[i], block.places[i], purpose, when, rows[i]);
    if (eviction_.on() && !rows[i].absent()) block.rows[i] = use(block.rows[i], purpose, when, rows[i]);
  }
  kernels_.gather({&layout_, block.rows.data(), static_cast<std::int32_t>(block.ids.size()), values});
}

// What a guess could not answer: the row of the id wherever it stands, a new one, or the record of zeros.
std::byte* ShardedTable::resolve(FeatureId id, std::uint64_t place, Purpose purpose, Moment when, Row& row) {
  row.slot = shards_[row.shard].find(id, place);
  if (row.slot != kNoSlot) return shards_[row.shard].row(row.slot);
  if (purpose == Purpose::evaluate) {
    ++unseen_;
    return zeros();
  }
  if (!admission_.admits(id, place)) {
    ++not_admitted_;
    return zeros();
  }
  return create(id, place, when, row);
}

std::byte* ShardedTable::create(FeatureId id, std::uint64_t place, Moment when, Row& row) {
  if (eviction_.on()) make_room(place, when, shards_[row.shard]);
  std::byte* const record = add(id, place, row);
  give_first_values(record, when.step);
  return record;
}

// Pre: the record holds its id.
void ShardedTable::give_first_values(std::byte* record, Step now) {
  first_values_.fill(InnerShard::id_of(record), first_row_);
  kernels_.store(layout_, first_row_.data(), record);
  std::ranges::copy(first_state_, reinterpret_cast<float*>(record + layout_.state_offset));
  if (eviction_.on()) eviction_.start(record, now);
}

}  // namespace persia::table
