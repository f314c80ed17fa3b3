#include "table/index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace persia::table {
namespace {

// What a look-up's kernels name first.
RowSlot first_at_home(const Index& index, std::uint64_t place) {
  const Chunk& home = *index.home_chunk(place);
  const Matches matches(home, tag_of(place));
  return matches.empty() ? kNoSlot : RowSlot(home.slots[matches.first()]);
}

TEST(Index, FindsEveryEntryWhenFull) {
  SlabArena arena(44);
  Index index(arena, 5000);
  std::vector<std::uint64_t> places;
  while (!index.full()) {
    places.push_back(mix64(places.size()));
    index.insert(places.back(), RowSlot(static_cast<std::uint32_t>(places.size() - 1)));
  }
  EXPECT_GE(index.rows(), 5000);
  int at_home = 0;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const RowSlot wanted(i);
    ASSERT_EQ(index.find(places[i], [&](RowSlot slot) { return slot == wanted; }), wanted);
    at_home += first_at_home(index, places[i]) == wanted ? 1 : 0;
  }
  EXPECT_GT(at_home, static_cast<int>(places.size()) * 85 / 100);
}

TEST(Index, AWrongGuessIsFollowedByTheNextCandidateUntilNoneIsLeft) {
  SlabArena arena(44);
  Index index(arena, 5000);
  for (std::uint32_t i = 0; !index.full(); ++i) index.insert(mix64(i), RowSlot(i));
  int second = 0;
  for (std::uint32_t i = 0; i < index.rows(); ++i) {
    RowSlot slot = first_at_home(index, mix64(i));
    if (slot == RowSlot(i)) continue;
    slot = index.guess_again(mix64(i), slot);
    second += slot == RowSlot(i) ? 1 : 0;
    while (slot != RowSlot(i)) {
      ASSERT_NE(slot, kNoSlot) << i;
      slot = index.guess_again(mix64(i), slot);
    }
    while (slot != kNoSlot) slot = index.guess_again(mix64(i), slot);
  }
  EXPECT_GT(second, 0);
}

TEST(Index, AnswersNoSlotForAbsentEntries) {
  SlabArena arena(44);
  Index index(arena, 5000);
  for (std::uint32_t i = 0; !index.full(); ++i) index.insert(mix64(i), RowSlot(i));
  for (std::uint64_t i = 0; i < 20000; ++i)
    ASSERT_EQ(index.find(mix64(1000000 + i), [](RowSlot) { return false; }), kNoSlot);
}

// All entries share every hash bit, and their home is the last chunk: they run on over the index's end.
TEST(Index, HoldsEntriesThatShareEveryBit) {
  SlabArena arena(44);
  Index index(arena, 640);
  for (std::uint32_t i = 0; i < 600; ++i) index.insert(~std::uint64_t{0}, RowSlot(i));
  for (std::uint32_t i = 0; i < 600; ++i) {
    const RowSlot wanted(i);
    ASSERT_EQ(index.find(~std::uint64_t{0}, [&](RowSlot slot) { return slot == wanted; }), wanted);
  }
  EXPECT_EQ(index.find(~std::uint64_t{0}, [](RowSlot) { return false; }), kNoSlot);
  EXPECT_EQ(index.find(0, [](RowSlot) { return true; }), kNoSlot);  // another tag
}

// Entries come and go while as many stand: nothing of those that went is left, or searches would get longer.
TEST(Index, ErasedEntriesLeaveNothingBehind) {
  SlabArena arena(44);
  Index index(arena, 5000);
  const auto capacity = static_cast<std::uint32_t>(index.capacity_rows());
  for (std::uint32_t i = 0; i < capacity; ++i) index.insert(mix64(i), RowSlot(i));
  for (std::uint32_t i = capacity; i < 200 * capacity; ++i) {
    index.erase(mix64(i - capacity), RowSlot(i - capacity));
    index.insert(mix64(i), RowSlot(i));
  }
  EXPECT_GT(index.chunks_passed(), 0);
  for (std::uint32_t i = 199 * capacity; i < 200 * capacity; ++i)
    ASSERT_EQ(index.find(mix64(i), [&](RowSlot slot) { return slot == RowSlot(i); }), RowSlot(i));
  for (std::uint32_t i = 199 * capacity; i < 200 * capacity; ++i) index.erase(mix64(i), RowSlot(i));
  EXPECT_EQ(index.rows(), 0);
  EXPECT_EQ(index.chunks_passed(), 0);
}

TEST(Index, FindsWhatStandsBehindAnErasedEntry) {
  SlabArena arena(44);
  Index index(arena, 640);
  for (std::uint32_t i = 0; i < 300; ++i) index.insert(7, RowSlot(i));
  for (std::uint32_t i = 0; i < 290; ++i) {
    index.erase(7, RowSlot(i));
    const RowSlot last(299);
    ASSERT_EQ(index.find(7, [&](RowSlot slot) { return slot == last; }), last) << i;
  }
  EXPECT_THROW(index.erase(7, RowSlot(0)), Error);
}

// Slabs that come back from rows or another index hold anything.
TEST(Index, StartsEmptyInUsedMemory) {
  SlabArena arena(44);
  {
    Slabs used(arena);
    for (int i = 0; i < 10; ++i) {
      used.add();
      std::memset(used[used.size() - 1], 0xFF, arena.slab_bytes());
    }
  }
  const Index index(arena, 50000);
  for (std::uint64_t i = 0; i < 10000; ++i)
    ASSERT_EQ(index.find(mix64(i), [](RowSlot) { return true; }), kNoSlot);
}

TEST(Index, IsPreparedPageByPage) {
  SlabArena arena(44);
  Index index(arena, 20000, Index::Unprepared());
  int pages = 0;
  for (; !index.ready(); ++pages) {
    EXPECT_EQ(index.bytes(), 4096 * pages);
    index.prepare();
  }
  EXPECT_EQ(index.bytes(), Index::size_for(20000).bytes());
  EXPECT_EQ(index.capacity_rows(), Index::size_for(20000).capacity_rows);
  for (std::uint64_t i = 0; i < 10000; ++i)
    ASSERT_EQ(index.find(mix64(i), [](RowSlot) { return true; }), kNoSlot);
}

// What a shard adds until the larger index is done.
TEST(Index, TakesATenthMoreRowsThanItsCapacity) {
  SlabArena arena(44);
  Index index(arena, 5000);
  const std::int64_t rows = index.capacity_rows() * 11 / 10;
  for (std::uint32_t i = 0; i < rows; ++i) index.insert(mix64(i), RowSlot(i));
  EXPECT_TRUE(index.full());
  for (std::uint32_t i = 0; i < rows; ++i)
    ASSERT_EQ(index.find(mix64(i), [&](RowSlot slot) { return slot == RowSlot(i); }), RowSlot(i));
}

// Sixteen shards of equal rows: the next one is full after about a sixteenth of a growth.
TEST(Index, LargeOnesOfDifferentShardsAreFullInTurns) {
  std::vector<double> logarithms;
  for (std::uint32_t shard = 0; shard < kInnerShards; ++shard) {
    std::int64_t rows = Index::size_for(0).capacity_rows;
    while (rows < 2000000000) {
      const std::int64_t larger = Index::size_for(grown_capacity(rows, shard)).capacity_rows;
      EXPECT_GT(larger, rows);
      EXPECT_TRUE(rows < 20000 || static_cast<double>(larger) < 1.52 * static_cast<double>(rows)) << rows;
      rows = larger;
    }
    logarithms.push_back(std::log(static_cast<double>(rows)) / std::log(1.5));
  }
  std::ranges::sort(logarithms);
  for (std::size_t i = 1; i < logarithms.size(); ++i)
    EXPECT_NEAR(logarithms[i] - logarithms[i - 1], 1.0 / 16, 0.04);
}

TEST(Index, TakesSixAndAHalfBytesARowWhenFull) {
  SlabArena arena(44);
  const Index index(arena, 1000000);
  EXPECT_LE(static_cast<double>(index.bytes()) / static_cast<double>(index.capacity_rows()), 6.41);
}

}  // namespace
}  // namespace persia::table
