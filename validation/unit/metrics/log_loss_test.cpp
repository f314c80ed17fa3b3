#include <gtest/gtest.h>

#include <cmath>

#include "metrics/metrics.hpp"

namespace persia::metrics {
namespace {

TEST(LogLoss, IsNeverInfiniteOrClipped) {
  EXPECT_DOUBLE_EQ(log_loss_of(40, 0), 40.0);
  EXPECT_DOUBLE_EQ(log_loss_of(-800, 1), 800.0);
  EXPECT_NEAR(log_loss_of(2, 1), 0.1269280, 5e-8);
}

TEST(LogLoss, KeepsTinyLosses) {
  EXPECT_DOUBLE_EQ(log_loss_of(40, 1), std::exp(-40.0));
  EXPECT_EQ(log_loss_of(0, 1), std::log(2.0));
}

TEST(Probability, GivesTheGradientsOfTheLoss) {
  EXPECT_DOUBLE_EQ(probability_of(40) - 0, 1.0);
  EXPECT_DOUBLE_EQ(probability_of(-800) - 1, -1.0);
  EXPECT_NEAR(probability_of(2) - 1, -0.1192029, 5e-8);
  EXPECT_EQ(probability_of(-1e300), 0.0);
  EXPECT_EQ(probability_of(1e300), 1.0);
}

}  // namespace
}  // namespace persia::metrics
