#include "table/slab_arena.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <utility>

namespace persia::table {
namespace {

TEST(SlabArena, SlabsDoNotOverlap) {
  SlabArena arena(100);
  std::set<std::byte*> slabs;
  for (int i = 0; i < 2000; ++i) slabs.insert(arena.take());
  for (auto slab = slabs.begin(), next = std::next(slab); next != slabs.end(); slab = next++)
    ASSERT_GE(*next - *slab, static_cast<std::ptrdiff_t>(arena.slab_bytes()));
  EXPECT_EQ(slabs.size(), 2000U);
}

TEST(SlabArena, SlabsGivenBackAreUsedAgain) {
  SlabArena arena(100);
  std::set<std::byte*> first;
  {
    Slabs slabs(arena);
    for (int i = 0; i < 100; ++i) {
      slabs.add();
      first.insert(slabs[slabs.size() - 1]);
    }
    Slabs moved(std::move(slabs));
    EXPECT_EQ(moved.size(), 100U);
  }
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(first.contains(arena.take()));
}

TEST(SlabArena, IsSmallUntilItsFirstRunIsUsedUp) {
  SlabArena arena(100);
  for (int i = 0; i < 64; ++i) (void)arena.take();
  EXPECT_TRUE(arena.small());
  (void)arena.take();
  EXPECT_FALSE(arena.small());
  EXPECT_EQ(arena.resident_bytes(), std::int64_t{6} << 20);  // 65 slabs of 64 KiB, in whole huge pages
}

TEST(SlabArena, LongRowsGetLargerSlabs) {
  EXPECT_EQ(SlabArena(1024).slab_bytes(), std::size_t{64} << 10);
  EXPECT_EQ(SlabArena(1028).slab_bytes(), std::size_t{2} << 20);
}

}  // namespace
}  // namespace persia::table
