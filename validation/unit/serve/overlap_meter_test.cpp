#include "serve/overlap_meter.hpp"

#include <gtest/gtest.h>

namespace persia::serve {
namespace {

using Key = OverlapMeter::TokenKey;

// Rows that are looked at.
std::vector<table::Row> sampled(std::size_t count) {
  std::vector<table::Row> rows;
  for (std::uint32_t slot = 0; rows.size() < count; ++slot)
    if (const table::Row row{3, RowSlot(slot)}; OverlapMeter::is_sampled(0, row)) rows.push_back(row);
  return rows;
}

TEST(OverlapMeter, CountsTheUpdatesOfOthersBetweenLookUpAndUpdate) {
  const auto rows = sampled(1);
  OverlapMeter meter;
  const Key first{0, Token(1)}, second{1, Token(1)}, third{2, Token(1)};
  meter.open(first, 0, rows);
  meter.open(second, 0, rows);
  meter.apply(second, 1, 0, rows);
  meter.open(third, 0, rows);
  meter.apply(third, 2, 0, rows);
  meter.apply(first, 0, 0, rows);
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{2, 0, 1}))
      << "the first missed two, the others none";
}

TEST(OverlapMeter, OwnUpdatesAreNoneOfOthers) {
  const auto rows = sampled(1);
  OverlapMeter meter;
  const Key one{0, Token(1)}, two{0, Token(2)};
  meter.open(one, 0, rows);
  meter.open(two, 0, rows);
  meter.apply(one, 5, 0, rows);
  meter.apply(two, 5, 0, rows);
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{2}));
}

TEST(OverlapMeter, OneClientMayPushForSeveralTrainers) {
  const auto rows = sampled(1);
  OverlapMeter meter;
  const Key one{0, Token(1)}, two{0, Token(2)};
  meter.open(one, 0, rows);
  meter.open(two, 0, rows);
  meter.apply(one, 0, 0, rows);
  meter.apply(two, 1, 0, rows);
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{1, 1}));
}

TEST(OverlapMeter, ACancelledTokenCountsNothing) {
  const auto rows = sampled(2);
  OverlapMeter meter;
  meter.open({0, Token(1)}, 0, rows);
  meter.open({1, Token(1)}, 0, rows);
  meter.cancel({0, Token(1)}, 0, rows);
  meter.apply({1, Token(1)}, 1, 0, rows);
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(meter.num_watched(), 0U);
}

TEST(OverlapMeter, TablesAndRowsAreKeptApart) {
  const auto rows = sampled(2);
  OverlapMeter meter;
  meter.open({0, Token(1)}, 0, {rows.data(), 1});
  meter.open({1, Token(1)}, 0, {rows.data() + 1, 1});
  meter.apply({1, Token(1)}, 1, 0, {rows.data() + 1, 1});
  meter.apply({0, Token(1)}, 0, 0, {rows.data(), 1});
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{2}));
}

TEST(OverlapMeter, ARowThatIsNeverFreeKeepsItsMemoryAndItsCounts) {
  const auto rows = sampled(1);
  OverlapMeter meter;
  meter.open({0, Token(0)}, 0, rows);
  for (std::uint64_t n = 1; n <= 10'000; ++n) {
    meter.open({static_cast<std::int32_t>(n % 2), Token(n)}, 0, rows);
    const std::uint64_t before = n - 1;
    meter.apply({static_cast<std::int32_t>(before % 2), Token(before)}, static_cast<std::int32_t>(before % 2),
                0, rows);
  }
  EXPECT_EQ(meter.num_watched(), 1U);
  EXPECT_EQ(meter.histogram(), (std::vector<std::int64_t>{1, 9999})) << "each but the first missed one";
}

TEST(OverlapMeter, LooksAtOneRowIn256) {
  std::int64_t count = 0;
  for (std::uint32_t shard = 0; shard < 16; ++shard)
    for (std::uint32_t slot = 0; slot < 65'536; ++slot)
      count += OverlapMeter::is_sampled(2, {shard, RowSlot(slot)}) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(count), 16 * 65'536 / 256.0, 100);
  EXPECT_FALSE(OverlapMeter::is_sampled(0, {})) << "an id without a row";
}

}  // namespace
}  // namespace persia::serve
