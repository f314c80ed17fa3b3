#include "table/cold_shard.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "table/place.hpp"

namespace persia::table {

ColdShard::ColdShard(BlockFile& file, SlabArena& arena, const ColdLayout& layout, std::uint64_t salt,
                     std::uint32_t number)
    : file_(&file),
      layout_(layout),
      salt_(salt),
      number_(number),
      directory_(arena, kColdEntryBytes, salt, number),
      outgoing_data_(layout.block_bytes),
      live_(1) {
  expects(layout.block_rows <= std::numeric_limits<std::uint16_t>::max(),
          "live records of a block in 16 bits");
}

std::int64_t ColdShard::memory_bytes() const {
  return static_cast<std::int64_t>(layout_.block_bytes + live_.capacity() * sizeof(std::uint16_t) +
                                   free_.capacity() * sizeof(std::uint32_t));
}

std::optional<ColdLocation> ColdShard::find(FeatureId id, std::uint64_t place) const {
  const RowSlot slot = directory_.find(id, place);
  if (slot == kNoSlot) return std::nullopt;
  return location_of(slot);
}

void ColdShard::put(std::uint64_t place, const std::byte* record) {
  make_room();
  append(record, directory_.add(InnerShard::id_of(record), place));
}

std::vector<std::uint32_t> ColdShard::live_blocks() const {
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t block = 0; block < live_.size(); ++block)
    if (live_[block] > 0) blocks.push_back(block);
  return blocks;
}

const std::byte* ColdShard::contents(std::uint32_t block, std::byte* buffer) const {
  if (in_memory(block)) return outgoing_data_.data();
  file_->read(in_file(block), buffer);
  return buffer;
}

// Found by its location, which no two entries share: the caller need not know the id.
void ColdShard::forget(std::uint64_t place, ColdLocation location) {
  RowSlot slot = kNoSlot;
  do {
    slot = directory_.guess_again(place, slot);
    expects(slot != kNoSlot, "a record that lives at its location");
  } while (location_of(slot) != location);
  directory_.erase(slot);
  --live_[layout_.block_of(location)];
}

void ColdShard::free(std::uint32_t block) {
  live_[block] = 0;
  if (in_memory(block))
    used_ = 0;
  else
    free_.push_back(block);
}

void ColdShard::restore(const std::byte* record) {
  make_room();
  const FeatureId id = InnerShard::id_of(record);
  append(record, directory_.find(id, place_hash(id, salt_)));
}

bool ColdShard::lives(const std::byte* record, ColdLocation location) const {
  const FeatureId id = InnerShard::id_of(record);
  const RowSlot slot = directory_.find(id, place_hash(id, salt_));
  return slot != kNoSlot && location_of(slot) == location;
}

ColdLocation ColdShard::location_of(RowSlot slot) const {
  ColdLocation location;
  std::memcpy(&location, directory_.row(slot) + sizeof(std::uint64_t), sizeof location);
  return location;
}

std::int64_t ColdShard::in_file(std::uint32_t block) const {
  return std::int64_t{block} * kInnerShards + number_;
}

// A full block is written before anything is put into the next: should that fail, it stays where it is.
void ColdShard::make_room() {
  if (used_ < layout_.block_rows) return;
  file_->write(in_file(outgoing_), outgoing_data_.data());
  ++blocks_written_;
  num_file_blocks_ = std::max(num_file_blocks_, outgoing_ + 1);
  if (free_.empty()) {
    require(live_.size() < layout_.max_blocks(),
            "an inner shard cannot keep more than {} blocks of {} rows on disk; use more embedding ranks",
            layout_.max_blocks(), layout_.block_rows);
    live_.push_back(0);
    outgoing_ = num_file_blocks_;
  } else {
    outgoing_ = free_.back();
    free_.pop_back();
  }
  used_ = 0;
}

void ColdShard::append(const std::byte* record, RowSlot slot) {
  const ColdLocation location = layout_.location(outgoing_, used_);
  std::memcpy(outgoing_data_.data() + layout_.offset_of(location), record, layout_.row_bytes);
  std::memcpy(directory_.row(slot) + sizeof(std::uint64_t), &location, sizeof location);
  ++used_;
  ++live_[outgoing_];
}

}  // namespace persia::table
