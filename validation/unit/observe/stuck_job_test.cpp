#include "observe/stuck_job.hpp"

#include <gtest/gtest.h>

namespace persia::observe {
namespace {

using status::Waits;

Standstill standing(Waits waits, double still_seconds, double stopped_seconds = 0) {
  return {.status = {.text = "training", .waits = waits, .movements = 7},
          .still_seconds = still_seconds,
          .longest_stopped_seconds = stopped_seconds};
}

TEST(StuckJob, IsWhereARankWaitsForOthersBeyondTheTimeout) {
  EXPECT_FALSE(is_stuck(standing(Waits::for_others, 59), 60));
  EXPECT_FALSE(is_stuck(standing(Waits::for_others, 61), 60));  // waits with a deadline of their own go first
  EXPECT_TRUE(is_stuck(standing(Waits::for_others, 63), 60));
}

TEST(StuckJob, IsNotWhereARankWorksOrWaitsForTheSlow) {
  EXPECT_FALSE(is_stuck(standing(Waits::for_nobody, 1e6), 60));
  EXPECT_FALSE(is_stuck(standing(Waits::for_the_slow, 1e6), 60));
}

TEST(StuckJob, IsWhereARankOfTheHostIsStoppedForAsLong) {
  EXPECT_TRUE(is_stuck(standing(Waits::for_nobody, 63, 63), 60));
  EXPECT_TRUE(is_stuck(standing(Waits::for_the_slow, 63, 63), 60));
  EXPECT_FALSE(is_stuck(standing(Waits::for_nobody, 1e6, 30), 60));
  EXPECT_FALSE(is_stuck(standing(Waits::for_nobody, 30, 1e6), 60));  // this rank gets on without it
}

TEST(StuckJob, SaysWhatItIsAtForHowLongAndWhoIsStopped) {
  EXPECT_EQ(block_of(standing(Waits::for_others, 61.4), {}), "nothing has moved for 61 s: training");
  EXPECT_EQ(block_of(standing(Waits::for_others, 61.4), {"trainer 1 (rank 3 on host a, pid 9)"}),
            "nothing has moved for 61 s: training\nstopped (SIGSTOP; kill -CONT wakes): trainer 1 (rank 3 on "
            "host a, "
            "pid 9)");
}

TEST(StuckJob, ABlockOfManyPeersIsCutSoThatLaunchersPassItOnInOnePiece) {
  Standstill here = standing(Waits::for_others, 61);
  here.status.text.assign(100000, 'x');
  const std::string block = block_of(here, {});
  EXPECT_LT(block.size(), 3600U);
  EXPECT_TRUE(block.ends_with("xxx ..."));
}

}  // namespace
}  // namespace persia::observe
