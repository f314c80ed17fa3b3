#include "table/slab_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace persia::table {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
  // 65 slabs of 64 KiB in whole huge pages, and one of these ahead.
  EXPECT_EQ(arena.resident_bytes(), std::int64_t{6 + 2} << 20);
}

TEST(SlabArena, LargeOnesCountTheHugePagesAhead) {
  SlabArena arena(100);
  for (int i = 0; i < 2048; ++i) (void)arena.take();
  EXPECT_EQ(arena.resident_bytes(), std::int64_t{128 + 4} << 20);
  (void)arena.take();
  EXPECT_EQ(arena.resident_bytes(), std::int64_t{130 + 4} << 20);
}

// What the system notes of the memory at `address`: "nh" no huge pages, "hg" huge pages. Empty if it tells
// nothing.
std::string advice_of(const std::byte* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= wanted && wanted < end;
    if (inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

// Also on a system that gives huge pages to all.
TEST(SlabArena, HugePagesComeWithTheSecondRun) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) GTEST_SKIP() << "no huge pages here";
  SlabArena arena(2000);
  std::byte* const slab = arena.take();
  slab[0] = std::byte{1};
  EXPECT_THAT(advice_of(slab), HasSubstr(" nh "));
  for (std::size_t i = 0; i < kSlabsOfSmallArena; ++i) (void)arena.take();
  EXPECT_THAT(advice_of(slab), AllOf(HasSubstr(" hg "), Not(HasSubstr(" nh "))));
}

TEST(SlabArena, LongRowsGetLargerSlabs) {
  EXPECT_EQ(SlabArena(1024).slab_bytes(), std::size_t{64} << 10);
  EXPECT_EQ(SlabArena(1028).slab_bytes(), std::size_t{2} << 20);
}

}  // namespace
}  // namespace persia::table
