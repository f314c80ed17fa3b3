#include "config/learning_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace persia::config {
namespace {

double rate(const Schedule& schedule, std::int64_t step) {
  return rate_at({.learning_rate = 0.5, .schedule = schedule}, Step(step));
}

TEST(LearningRate, IsTheVeryNumberWithoutASchedule) {
  for (const double written : {0.001, 0.1, 1.0 / 3, 0.0})
    for (const std::int64_t step :
         {std::int64_t{0}, std::int64_t{1}, std::numeric_limits<std::int64_t>::max()})
      EXPECT_EQ(rate_at({.learning_rate = written}, Step(step)), written);
}

TEST(LearningRate, RisesEvenlyInTheWarmUpAndReachesItselfWithItsLastStep) {
  const Schedule warm_up{.warm_up_steps = 4};
  EXPECT_EQ(rate(warm_up, 0), 0.125);
  EXPECT_EQ(rate(warm_up, 1), 0.25);
  EXPECT_EQ(rate(warm_up, 3), 0.5);
  EXPECT_EQ(rate(warm_up, 4), 0.5);
  EXPECT_EQ(rate(warm_up, 1000), 0.5);
  EXPECT_EQ(rate({.warm_up_steps = 1}, 0), 0.5);
}

TEST(LearningRate, OfStepsIsMultipliedAfterEverySoManyOfThem) {
  const Schedule steps{.type = ScheduleType::step, .every_steps = 10, .factor = 0.5};
  EXPECT_EQ(rate(steps, 0), 0.5);
  EXPECT_EQ(rate(steps, 9), 0.5);
  EXPECT_EQ(rate(steps, 10), 0.25);
  EXPECT_EQ(rate(steps, 19), 0.25);
  EXPECT_EQ(rate(steps, 20), 0.125);
  EXPECT_EQ(rate(steps, 10000000), 0) << "half as much a million times";
}

TEST(LearningRate, OfAPolynomialFallsToTheEndAndStaysThere) {
  const Schedule line{.type = ScheduleType::polynomial, .decay_steps = 10, .power = 1, .end = 0.5};
  EXPECT_EQ(rate(line, 0), 0.5);
  EXPECT_DOUBLE_EQ(rate(line, 1), 0.475);
  EXPECT_EQ(rate(line, 5), 0.375);
  EXPECT_DOUBLE_EQ(rate(line, 9), 0.275);
  EXPECT_EQ(rate(line, 10), 0.25);
  EXPECT_EQ(rate(line, 11), 0.25);
  EXPECT_EQ(rate(line, std::numeric_limits<std::int64_t>::max()), 0.25);

  const Schedule square{.type = ScheduleType::polynomial, .decay_steps = 10, .power = 2};
  EXPECT_EQ(rate(square, 5), 0.125);
  EXPECT_EQ(rate(square, 10), 0);
}

TEST(LearningRate, OfACosineFallsToTheEndAndStaysThere) {
  const Schedule cosine{.type = ScheduleType::cosine, .decay_steps = 12, .end = 0.2};
  EXPECT_EQ(rate(cosine, 0), 0.5);
  EXPECT_DOUBLE_EQ(rate(cosine, 4), 0.5 * (0.2 + 0.8 * 0.75)) << "cos(60 degrees) is a half";
  EXPECT_DOUBLE_EQ(rate(cosine, 6), 0.5 * 0.6);
  EXPECT_DOUBLE_EQ(rate(cosine, 11), 0.5 * (0.2 + 0.4 * (1 + std::cos(std::numbers::pi * 11 / 12))));
  EXPECT_EQ(rate(cosine, 12), 0.1);
  EXPECT_EQ(rate(cosine, 13), 0.1);
  EXPECT_EQ(rate({.type = ScheduleType::cosine, .decay_steps = 1}, 0), 0.5);
  EXPECT_EQ(rate({.type = ScheduleType::cosine, .decay_steps = 1}, 1), 0);
}

TEST(LearningRate, FallsAfterTheWarmUpOnly) {
  for (const ScheduleType type : {ScheduleType::step, ScheduleType::polynomial, ScheduleType::cosine}) {
    const Schedule falling{.type = type, .every_steps = 7, .decay_steps = 20, .power = 3, .end = 0.1};
    Schedule warm = falling;
    warm.warm_up_steps = 5;
    EXPECT_EQ(rate(warm, 0), 0.1);
    EXPECT_EQ(rate(warm, 4), 0.5);
    for (std::int64_t step = 0; step < 40; ++step) ASSERT_EQ(rate(warm, 5 + step), rate(falling, step));
  }
}

TEST(LearningRate, FollowsTheExampleOfTheReadme) {
  const Optimizer adam{
      .type = OptimizerType::adam,
      .learning_rate = 0.001,
      .schedule = {.type = ScheduleType::cosine, .warm_up_steps = 100, .decay_steps = 10000, .end = 0.01}};
  EXPECT_DOUBLE_EQ(rate_at(adam, Step(0)), 0.00001);
  EXPECT_DOUBLE_EQ(rate_at(adam, Step(99)), 0.001);
  EXPECT_DOUBLE_EQ(rate_at(adam, Step(5100)), 0.000505);
  EXPECT_DOUBLE_EQ(rate_at(adam, Step(10100)), 0.00001);
  EXPECT_DOUBLE_EQ(rate_at(adam, Step(1000000)), 0.00001);
}

}  // namespace
}  // namespace persia::config
