// One of the sixteen parts of a table: an index and its rows. What different threads may work on at the same
// time.
//
// When its index is full, a larger one is made beside it, a piece at every add(): first its memory is zeroed
// page by page, then rows are entered in the order in which they stand. The old one knows all rows and
// answers until the new one does too, so that look-ups do not notice and no call waits for a whole index. Not
// thread safe by itself; shards share the arena and nothing else. Ids are placed by place_hash(id, salt).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/hash.hpp"
#include "base/strong.hpp"
#include "table/index.hpp"
#include "table/prefetch.hpp"
#include "table/row_store.hpp"

namespace persia::table {

// How many rows come to a shard whose index of this capacity is full, until the larger one is in its place.
[[nodiscard]] std::int64_t rows_of_growth(std::int64_t capacity_rows, std::uint32_t shard);

class InnerShard {
 public:
  // `number`: among the table's shards. Throws OutOfMemory.
  InnerShard(SlabArena& arena, std::int32_t row_bytes, std::uint64_t salt, std::uint32_t number)
      : arena_(&arena), salt_(salt), number_(number), index_(arena, 0), rows_(arena, row_bytes) {}

  [[nodiscard]] std::int64_t rows() const { return index_.rows(); }
  // Slots in use or free: every one is below this.
  [[nodiscard]] std::int64_t slots() const { return rows_.rows(); }
  // By slot, whether it is free. Cost: O(slots).
  [[nodiscard]] std::vector<bool> free_slots() const;
  [[nodiscard]] std::int64_t index_bytes() const { return index_.bytes() + (next_ ? next_->bytes() : 0); }
  // Resident while the arena is small.
  [[nodiscard]] std::int64_t touched_bytes() const { return index_bytes() + rows_.touched_bytes(); }

  // Pre: slot < slots().
  [[nodiscard]] std::byte* row(RowSlot slot) const { return rows_.row(slot); }
  [[nodiscard]] FeatureId id(RowSlot slot) const { return id_of(rows_.row(slot)); }
  [[nodiscard]] static FeatureId id_of(const std::byte* row) {
    std::uint64_t id;
    std::memcpy(&id, row, sizeof id);
    return FeatureId(id);
  }

  // For the early stages of a batched look-up: where the search for an id begins, until a row is added; a
  // request for the chunk after that; the candidate after one that was wrong, the first after kNoSlot.
  [[nodiscard]] const Chunk* home(std::uint64_t place) const { return index_.home_chunk(place); }
  void prefetch_second(std::uint64_t place) const { prefetch_line(index_.second_chunk(place)); }
  [[nodiscard]] RowSlot guess_again(std::uint64_t place, RowSlot wrong) const {
    return index_.guess_again(place, wrong);
  }

  // The row of the id, or kNoSlot.
  [[nodiscard]] RowSlot find(FeatureId id, std::uint64_t place) const {
    return index_.find(place, [&](RowSlot slot) { return this->id(slot) == id; });
  }

  // A new row that holds its id and whatever else. Pre: the id is absent. Throws OutOfMemory, changing
  // nothing.
  RowSlot add(FeatureId id, std::uint64_t place);

  // Its slot is the next row's. Pre: there is such a row.
  void erase(RowSlot slot);

 private:
  void grow_on();
  void enter_rows(std::uint32_t count);
  [[nodiscard]] bool in_use(RowSlot slot, std::uint64_t place) const;
  [[nodiscard]] std::uint64_t place_of(RowSlot slot) const { return place_hash(id(slot), salt_); }
  // Whether the larger index has the row, or would have.
  [[nodiscard]] bool entered(RowSlot slot) const { return next_ && slot.value() < num_entered_; }

  SlabArena* arena_;
  std::uint64_t salt_;
  std::uint32_t number_;
  Index index_;
  std::optional<Index> next_;      // the larger one, while it is made
  std::uint32_t num_entered_ = 0;  // rows of the slots below are in it
  std::uint32_t adds_ = 0;         // since it was begun
  RowStore rows_;
  std::vector<RowSlot> free_;  // the last one is used first
};

}  // namespace persia::table
