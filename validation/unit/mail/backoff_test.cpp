#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "mail/post.hpp"

namespace persia::mail {
namespace {

double seconds_of(Backoff& backoff, int waits) {
  const Stopwatch watch;
  for (int i = 0; i < waits; ++i) backoff.wait();
  return watch.seconds();
}

TEST(Backoff, SleepsAfterLongIdlenessAndSpinsAgainAfterReset) {
  Backoff backoff;
  (void)seconds_of(backoff, 400);
  EXPECT_GE(seconds_of(backoff, 20), 20 * 50e-6);
  backoff.reset();
  EXPECT_LT(seconds_of(backoff, 20), 20 * 50e-6);
}

TEST(Backoff, SleepsLongerTheLongerItHasWaited) {
  Backoff backoff;
  (void)seconds_of(backoff, 320 + 1000);
  const double one = seconds_of(backoff, 1);
  EXPECT_GE(one, 0.9e-3);
  backoff.reset();
  (void)seconds_of(backoff, 320);
  EXPECT_GE(seconds_of(backoff, 100), 100 * 50e-6);
}

}  // namespace
}  // namespace persia::mail
