#include "checkpoint/state_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::ElementsAre;

TEST(StateColumns, StayAsTheyAreWhereNamesAreEqual) {
  const StateColumns columns("user", "m,v,count,last_use", 6, {"m", "v", "count", "last_use"}, Step(9));
  EXPECT_EQ(columns.width(), 6);
  EXPECT_THAT(columns.convert({1, 2, 3, 4, 5, 6}, 1), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(StateColumns, RowsCountAsUsedOnceAtTheCheckpointWhenEvictionIsNew) {
  const StateColumns columns("user", "accumulator", 1, {"accumulator", "last_use", "uses"}, Step(70));
  EXPECT_EQ(columns.width(), 3);
  EXPECT_THAT(columns.convert({0.5, 0.25}, 2), ElementsAre(0.5, 70, 1, 0.25, 70, 1));
  const StateColumns from_nothing("user", "", 0, {"last_use"}, Step(70));
  EXPECT_THAT(from_nothing.convert({}, 2), ElementsAre(70, 70));
}

TEST(StateColumns, UsageGoesWithEviction) {
  const StateColumns columns("user", "m,last_use,uses", 4, {"m"}, Step(70));
  EXPECT_THAT(columns.convert({1, 2, 30, 4, 5, 6, 31, 7}, 2), ElementsAre(1, 2, 5, 6));
  const StateColumns lru_from_lfu("user", "last_use,uses", 2, {"last_use"}, Step(70));
  EXPECT_THAT(lru_from_lfu.convert({30, 4, 31, 7}, 2), ElementsAre(30, 31));
}

TEST(StateColumns, OfAnotherOptimizerAreRefusedWithBothNames) {
  try {
    const StateColumns columns("user", "accumulator", 1, {"m", "v", "count"}, Step(0));
    FAIL() << "took them";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("(accumulator) in the checkpoint, (m, v, count) by the run file"));
  }
}

}  // namespace
}  // namespace persia::checkpoint
