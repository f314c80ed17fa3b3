#include "table/inner_shard.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace persia::table {

RowSlot InnerShard::add(FeatureId id, std::uint64_t place) {
  if (index_.full()) grow_index();
  const RowSlot slot = free_.empty() ? rows_.append() : free_.back();
  if (!free_.empty()) free_.pop_back();
  const std::uint64_t value = id.value();
  std::memcpy(rows_.row(slot), &value, sizeof value);
  index_.insert(place, slot);
  return slot;
}

void InnerShard::erase(RowSlot slot) {
  free_.push_back(slot);
  index_.erase(place_hash(id(slot), salt_), slot);
}

std::vector<bool> InnerShard::free_slots() const {
  std::vector<bool> free(static_cast<std::size_t>(slots()), false);
  for (const RowSlot slot : free_) free[slot.value()] = true;
  return free;
}

// Rows are read in the order they stand; the lines of the new index are brought near block by block.
void InnerShard::grow_index() {
  constexpr std::uint32_t block = 32;
  Index larger(*arena_, grown_capacity(index_.capacity_rows()));
  std::array<std::uint64_t, block> places;
  const std::vector<bool> free = free_slots();
  const auto num_slots = static_cast<std::uint32_t>(slots());
  for (std::uint32_t begin = 0; begin < num_slots; begin += block) {
    const std::uint32_t size = std::min(block, num_slots - begin);
    for (std::uint32_t i = 0; i < size; ++i) {
      places[i] = place_hash(id(RowSlot(begin + i)), salt_);
      larger.prefetch(places[i]);
    }
    for (std::uint32_t i = 0; i < size; ++i)
      if (!free[begin + i]) larger.insert(places[i], RowSlot(begin + i));
  }
  index_ = std::move(larger);
}

}  // namespace persia::table
