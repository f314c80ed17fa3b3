#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "mail/post.hpp"

namespace persia::mail {
namespace {

TEST(Backoff, SleepsAfterLongIdlenessAndSpinsAgainAfterReset) {
  Backoff backoff;
  for (int i = 0; i < 1000; ++i) backoff.wait();
  const Stopwatch asleep;
  for (int i = 0; i < 20; ++i) backoff.wait();
  EXPECT_GE(asleep.seconds(), 20 * 50e-6);
  backoff.reset();
  const Stopwatch awake;
  for (int i = 0; i < 20; ++i) backoff.wait();
  EXPECT_LT(awake.seconds(), 20 * 50e-6);
}

}  // namespace
}  // namespace persia::mail
