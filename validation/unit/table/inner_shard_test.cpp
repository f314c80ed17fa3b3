#include "table/inner_shard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"

namespace persia::table {
namespace {

constexpr std::uint64_t kShardSalt = 77;
constexpr std::int32_t kRowBytes = 16;

// Rows come and go while the index grows; a map says what must be there.
TEST(InnerShard, HoldsWhatAMapHoldsThroughGrowth) {
  SlabArena arena(kRowBytes);
  InnerShard shard(arena, kRowBytes, kShardSalt, 3);
  std::unordered_map<std::uint64_t, RowSlot> expected;
  std::vector<std::uint64_t> ids;
  const auto found = [&](std::uint64_t id) {
    return shard.find(FeatureId(id), place_hash(FeatureId(id), kShardSalt));
  };
  for (std::uint64_t step = 0; step < 200000; ++step) {
    if (ids.empty() || random_below(8, step, 0, 4) > 0) {
      ids.push_back(step);
      expected[step] = shard.add(FeatureId(step), place_hash(FeatureId(step), kShardSalt));
    } else {
      std::swap(ids[random_below(8, step, 1, ids.size())], ids.back());
      shard.erase(expected.at(ids.back()));
      ASSERT_EQ(found(ids.back()), kNoSlot);
      expected.erase(ids.back());
      ids.pop_back();
    }
    ASSERT_EQ(shard.rows(), static_cast<std::int64_t>(expected.size()));
    const std::uint64_t id = ids[random_below(8, step, 2, ids.size())];
    ASSERT_EQ(found(id), expected.at(id));
    ASSERT_EQ(shard.id(expected.at(id)), FeatureId(id));
    ASSERT_EQ(found(step + 1), kNoSlot);
  }
  for (const auto& [id, slot] : expected) ASSERT_EQ(found(id), slot);
  EXPECT_EQ(shard.slots() - shard.rows(), std::ranges::count(shard.free_slots(), true));
}

// Slots that are free when their turn comes, and slots that are used again before and after it.
TEST(InnerShard, EntersNoRowThatWentWhileItsIndexGrew) {
  SlabArena arena(kRowBytes);
  InnerShard shard(arena, kRowBytes, kShardSalt, 0);
  const auto add = [&](std::uint64_t id) {
    return shard.add(FeatureId(id), place_hash(FeatureId(id), kShardSalt));
  };
  const auto found = [&](std::uint64_t id) {
    return shard.find(FeatureId(id), place_hash(FeatureId(id), kShardSalt));
  };
  const std::int64_t before = shard.index_bytes();
  std::vector<RowSlot> slots;
  std::uint64_t next = 0;
  for (; shard.index_bytes() == before; ++next) slots.push_back(add(next));
  for (std::uint64_t id = 0; id < 600; id += 2) shard.erase(slots[id]);
  for (std::uint64_t i = 0; i < 100; ++i) (void)add(next++);
  for (std::uint64_t id = 1; id < 600; id += 2) shard.erase(slots[id]);
  for (std::uint64_t i = 0; i < 2000; ++i) (void)add(next++);
  for (std::uint64_t id = 0; id < next; ++id) ASSERT_EQ(found(id) == kNoSlot, id < 600) << id;
  EXPECT_EQ(shard.rows(), static_cast<std::int64_t>(next) - 600);
}

TEST(InnerShard, GrowsAsManyRowsLongAsItIsExpectedTo) {
  SlabArena arena(kRowBytes);
  InnerShard shard(arena, kRowBytes, kShardSalt, 9);
  std::int64_t capacity = Index::size_for(0).capacity_rows;
  for (std::uint64_t id = 0; id < 200000; ++id) {
    const std::int64_t before = shard.index_bytes();
    (void)shard.add(FeatureId(id), place_hash(FeatureId(id), kShardSalt));
    if (shard.index_bytes() >= before) continue;
    EXPECT_NEAR(static_cast<double>(shard.rows() - capacity),
                static_cast<double>(rows_of_growth(capacity, 9)), 16)
        << capacity;
    EXPECT_LE(shard.rows(), capacity * 12 / 10) << "entries of the index in use";
    capacity = Index::size_for(grown_capacity(capacity, 9)).capacity_rows;
  }
  EXPECT_GT(capacity, 200000);
}

// As in a table that evicts: a row goes for each that comes, so the number of rows hardly changes.
TEST(InnerShard, FinishesALargerIndexWhileRowsComeAndGo) {
  for (std::uint64_t extra = 0; extra < 8; ++extra) {
    SlabArena arena(kRowBytes);
    InnerShard shard(arena, kRowBytes, kShardSalt, 5);
    std::uint64_t id = 0;
    const auto add = [&] { return shard.add(FeatureId(id), place_hash(FeatureId(id), kShardSalt)); };
    const auto holds_two = [&] { return shard.index_bytes() > 10 * shard.rows(); };
    for (; id < 20000 || !holds_two(); ++id) (void)add();
    for (std::uint64_t k = 0; k < extra; ++k, ++id) (void)add();
    ASSERT_TRUE(holds_two());
    for (int k = 0; k < 10000; ++k, ++id) shard.erase(add());
    EXPECT_FALSE(holds_two()) << extra;
  }
}

// A piece at a time: neither memory nor time comes all at once.
TEST(InnerShard, TakesTheMemoryOfALargerIndexPageByPage) {
  SlabArena arena(kRowBytes);
  InnerShard shard(arena, kRowBytes, kShardSalt, 5);
  std::int64_t bytes = shard.index_bytes(), largest = bytes;
  for (std::uint64_t id = 0; id < 520000; ++id) {
    (void)shard.add(FeatureId(id), place_hash(FeatureId(id), kShardSalt));
    ASSERT_LE(shard.index_bytes() - bytes, 4096);
    bytes = shard.index_bytes();
    largest = std::max(largest, bytes);
    if (id < 100000) continue;
    // Two indexes at the most: the full one and the one that follows.
    ASSERT_LE(static_cast<double>(bytes) / static_cast<double>(id), 6.4 + 9.7);
  }
  EXPECT_GT(largest, bytes);
  EXPECT_LE(static_cast<double>(bytes) / 520000, 9.7);
}

}  // namespace
}  // namespace persia::table
