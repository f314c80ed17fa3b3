// From place hash to row slot, for one inner shard: open addressing over cache lines of twelve entries.
//
// An entry's home chunk is position_of(hash) scaled to the number of chunks; a full home sends it to the next
// chunk with room, and counts that in every chunk passed, so a search ends at the first chunk that nothing
// passed. The index holds no ids: callers confirm a candidate by the id that stands in its row. A search that
// finds its entry at home reads one line. Fixed size: the owner builds a larger one when full(), and the two
// free entries of each chunk give it the time for that. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong.hpp"
#include "table/chunk.hpp"
#include "table/place.hpp"
#include "table/slab_arena.hpp"

namespace persia::table {

inline constexpr RowSlot kNoSlot{0xFFFFFFFFU};

// An index of this capacity is small: shards of a table grow at the same time until here.
inline constexpr std::int64_t kSmallIndexRows = 60 * 640;

// The rows that an index of this capacity is followed by: a quarter more while it is small, then a half. The
// step from kSmallIndexRows is shorter, and differs from shard to shard: from there on they are full and grow
// in turns, evenly spread, so that all of a table's take 7.9 bytes a row (between 6.4 and 9.6 each) whatever
// its size.
[[nodiscard]] std::int64_t grown_capacity(std::int64_t rows, std::uint32_t shard);

class Index {
 public:
  // What an index made for `rows` takes, and how many rows it then has room for.
  struct Size {
    std::uint32_t num_chunks;
    std::int64_t capacity_rows;
    [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(num_chunks * sizeof(Chunk)); }
  };
  [[nodiscard]] static Size size_for(std::int64_t rows);

  // Room for at least `rows` entries. Throws OutOfMemory.
  Index(SlabArena& arena, std::int64_t rows);

  // The same with memory that is not zeroed yet: prepare() until ready(), before anything else is called.
  struct Unprepared {};
  Index(SlabArena& arena, std::int64_t rows, Unprepared);
  [[nodiscard]] bool ready() const { return prepared_chunks_ == num_chunks_; }
  // Zeroes one page more. Pre: not ready().
  void prepare();

  [[nodiscard]] std::int64_t capacity_rows() const { return capacity_rows_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] bool full() const { return rows_ >= capacity_rows_; }
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(prepared_chunks_ * sizeof(Chunk));
  }

  // The chunks that searches for all entries, one each, would read beyond their home. Cost: O(chunks).
  [[nodiscard]] std::int64_t chunks_passed() const;

  // Where a search begins, and the chunk after it. Good until this index is gone.
  [[nodiscard]] const Chunk* home_chunk(std::uint64_t place) const { return &chunk(home(place)); }
  [[nodiscard]] const Chunk* second_chunk(std::uint64_t place) const { return &chunk(next(home(place))); }

  // The candidate after one that was wrong, the first after kNoSlot; kNoSlot if that was the last.
  [[nodiscard]] RowSlot guess_again(std::uint64_t place, RowSlot wrong) const {
    bool is_next = wrong == kNoSlot;
    return find(place, [&](RowSlot slot) { return is_next || (is_next = slot == wrong, false); });
  }

  // The slot for which is_row(slot) holds, or kNoSlot.
  template <class IsRow>
  [[nodiscard]] RowSlot find(std::uint64_t place, const IsRow& is_row) const {
    for (std::uint32_t at = home(place);; at = next(at)) {
      const Chunk& here = chunk(at);
      for (Matches matches(here, tag_of(place)); !matches.empty(); matches.remove_first()) {
        const RowSlot slot(here.slots[matches.first()]);
        if (is_row(slot)) return slot;
      }
      if (here.passed == 0) return kNoSlot;
    }
  }

  // Pre: at most a tenth more rows than capacity_rows(), and the row is not in the index.
  void insert(std::uint64_t place, RowSlot slot);

  // Leaves nothing behind: what stands further on because of this entry is found as before, and the next
  // insertion takes its place. Pre: inserted.
  void erase(std::uint64_t place, RowSlot slot);

 private:
  [[nodiscard]] std::uint32_t home(std::uint64_t place) const {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(position_of(place)) * num_chunks_) >> 32);
  }
  [[nodiscard]] std::uint32_t next(std::uint32_t at) const { return at + 1 == num_chunks_ ? 0 : at + 1; }
  [[nodiscard]] Chunk& chunk(std::uint32_t at) const {
    return reinterpret_cast<Chunk*>(slabs_[at >> slab_shift_])[at & slab_mask_];
  }

  std::uint32_t num_chunks_;
  std::uint32_t prepared_chunks_ = 0;
  std::int64_t capacity_rows_;
  std::int64_t rows_ = 0;
  std::uint32_t slab_shift_;  // log2 of the chunks of a slab
  std::uint32_t slab_mask_;
  Slabs slabs_;
};

}  // namespace persia::table
