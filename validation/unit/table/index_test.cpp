#include "table/index.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace persia::table {
namespace {

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
    at_home += index.guess(places[i]) == wanted ? 1 : 0;
  }
  EXPECT_GT(at_home, static_cast<int>(places.size()) * 85 / 100);
}

TEST(Index, AWrongGuessIsFollowedByTheNextCandidateUntilNoneIsLeft) {
  SlabArena arena(44);
  Index index(arena, 5000);
  for (std::uint32_t i = 0; !index.full(); ++i) index.insert(mix64(i), RowSlot(i));
  int second = 0;
  for (std::uint32_t i = 0; i < index.rows(); ++i) {
    RowSlot slot = index.guess(mix64(i));
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

TEST(Index, TakesSixAndAHalfBytesARowWhenFull) {
  SlabArena arena(44);
  const Index index(arena, 1000000);
  EXPECT_LE(static_cast<double>(index.bytes()) / static_cast<double>(index.capacity_rows()), 6.41);
}

}  // namespace
}  // namespace persia::table
