#include "table/inner_shard.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace persia::table {

namespace {

// What is made of a larger index while rows are added: a page at every row, then so many entries at every
// eighth, since entries of one piece find the same lines near. Done when a seventieth more rows have come, as
// both take memory until then and shards grow in turns; a small one when a tenth more have come, as all do at
// the same time.
constexpr std::int64_t kAddsPerPiece = 8;
constexpr std::uint32_t kRowsPerPiece = 640;
constexpr std::uint32_t kRowsPerPieceWhenSmall = 80;

constexpr std::uint32_t rows_per_piece(std::int64_t capacity_rows) {
  return capacity_rows > kSmallIndexRows ? kRowsPerPiece : kRowsPerPieceWhenSmall;
}

}  // namespace

std::int64_t rows_of_growth(std::int64_t capacity_rows, std::uint32_t shard) {
  const std::int64_t pages =
      Index::size_for(grown_capacity(capacity_rows, shard)).bytes() / static_cast<std::int64_t>(kPageBytes);
  const std::int64_t pieces = (capacity_rows + pages) / (rows_per_piece(capacity_rows) - kAddsPerPiece) + 1;
  return pages + pieces * kAddsPerPiece;
}

RowSlot InnerShard::add(FeatureId id, std::uint64_t place) {
  if (next_ || index_.full()) grow_on();
  const RowSlot slot = free_.empty() ? rows_.append() : free_.back();
  if (!free_.empty()) free_.pop_back();
  const std::uint64_t value = id.value();
  std::memcpy(rows_.row(slot), &value, sizeof value);
  index_.insert(place, slot);
  if (entered(slot)) next_->insert(place, slot);
  return slot;
}

void InnerShard::erase(RowSlot slot) {
  const std::uint64_t place = place_of(slot);
  free_.push_back(slot);
  index_.erase(place, slot);
  if (entered(slot)) next_->erase(place, slot);
}

std::vector<bool> InnerShard::free_slots() const {
  std::vector<bool> free(static_cast<std::size_t>(slots()), false);
  for (const RowSlot slot : free_) free[slot.value()] = true;
  return free;
}

void InnerShard::grow_on() {
  const std::int64_t capacity = index_.capacity_rows();
  if (!next_) {
    next_.emplace(*arena_, grown_capacity(capacity, number_), Index::Unprepared());
    num_entered_ = 0;
    adds_ = 0;
  }
  if (!next_->ready()) return next_->prepare();
  if (++adds_ % kAddsPerPiece != 0) return;
  enter_rows(rows_per_piece(capacity));
  if (num_entered_ < slots()) return;
  index_ = std::move(*next_);
  next_.reset();
}

// Block by block, whose lines of the larger index are brought near first.
void InnerShard::enter_rows(std::uint32_t count) {
  constexpr std::uint32_t block = 32;
  std::array<std::uint64_t, block> places;
  const auto end = static_cast<std::uint32_t>(std::min<std::int64_t>(num_entered_ + count, slots()));
  while (num_entered_ < end) {
    const std::uint32_t size = std::min(block, end - num_entered_);
    for (std::uint32_t i = 0; i < size; ++i) {
      places[i] = place_of(RowSlot(num_entered_ + i));
      prefetch_line(next_->home_chunk(places[i]));
    }
    for (std::uint32_t i = 0; i < size; ++i)
      if (in_use(RowSlot(num_entered_ + i), places[i])) next_->insert(places[i], RowSlot(num_entered_ + i));
    num_entered_ += size;
  }
}

// Pre: the place of the id in the slot's record, which a row that went has left there.
bool InnerShard::in_use(RowSlot slot, std::uint64_t place) const {
  if (free_.empty()) return true;
  return index_.find(place, [&](RowSlot candidate) { return candidate == slot; }) != kNoSlot;
}

}  // namespace persia::table
