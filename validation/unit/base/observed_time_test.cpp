#include "base/observed_time.hpp"

#include <gtest/gtest.h>

namespace persia {
namespace {

TEST(ObservedTime, AddsUpWhileTheStateLasts) {
  ObservedTime time;
  for (const double now : {100.0, 101.0, 102.5}) time.look(now, true);
  EXPECT_DOUBLE_EQ(time.seconds(), 2.5);
}

TEST(ObservedTime, BeginsAnewWhenTheStateEnds) {
  ObservedTime time;
  time.look(100, true);
  time.look(101, true);
  time.look(102, false);
  EXPECT_DOUBLE_EQ(time.seconds(), 0);
  time.look(103, true);
  EXPECT_DOUBLE_EQ(time.seconds(), 1);
}

TEST(ObservedTime, AJobThatWasSuspendedForAnHourHasNotStoodStillForAnHour) {
  ObservedTime time;
  time.look(100, true);
  time.look(3700, true);
  EXPECT_DOUBLE_EQ(time.seconds(), 2);
}

}  // namespace
}  // namespace persia
