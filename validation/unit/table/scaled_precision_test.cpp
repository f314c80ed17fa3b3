// Int8: whole numbers with a scale for each row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "table/precision.hpp"
#include "table/rounding.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

float scale_for(float largest) {
  return Int8::scale_for(as_word(largest));
}

Floats eight(float value) {
  return Floats{} + value;
}

TEST(ScaledPrecision, TheScaleIsTheSmallestPowerOfTwoThatHoldsTheRow) {
  for (float largest = 1e-30F; largest < 1e30F; largest *= 1.0037F) {
    const float scale = scale_for(largest);
    int exponent;
    ASSERT_EQ(std::frexp(scale, &exponent), 0.5F);
    ASSERT_LE(largest, 127 * scale);
    ASSERT_GT(largest, 63.5F * scale);
  }
  EXPECT_EQ(scale_for(127), 1);
  EXPECT_EQ(scale_for(std::nextafter(127.0F, 128.0F)), 2);
  EXPECT_EQ(scale_for(0), 0x1p-120F);
  EXPECT_EQ(scale_for(std::numeric_limits<float>::infinity()), 0x1p120F);
}

TEST(ScaledPrecision, KeepsEveryWholeNumberOfItsScale) {
  for (const float scale : {0x1p-120F, 0x1p-9F, 1.0F, 0x1p120F})
    for (int number = -127; number <= 127; ++number) {
      const Int8s stored = Int8s{} + static_cast<std::int8_t>(number);
      const Floats value = Int8::decode(stored, scale);
      ASSERT_EQ(value[3], static_cast<float>(number) * scale);
      ASSERT_EQ(Int8::nearest(value, scale)[3], number);
      for (const std::uint32_t random : {0U, 0x8000FFFFU, 0xFFFFFFFFU})
        ASSERT_EQ(Int8::stochastic(value, all_lanes<Words>(random), scale, 127)[3], number);
    }
}

TEST(ScaledPrecision, RoundsToNearestEven) {
  for (int number = -126; number < 126; ++number) {
    const auto at = [&](float part) { return int{Int8::nearest(eight((number + part) * 0.25F), 0.25F)[0]}; };
    ASSERT_EQ(at(0.25F), number);
    ASSERT_EQ(at(0.75F), number + 1);
    ASSERT_EQ(at(0.5F), number % 2 == 0 ? number : number + 1);
  }
}

TEST(ScaledPrecision, StochasticRoundingIsUnbiased) {
  const RoundingStream random(7, 8, 9);
  for (const float value : {0.1F, -0.1F, 3.14159F, -100.567F, 126.001F, 1e-4F, -0.9999F}) {
    constexpr std::uint32_t draws = 80000;
    double sum = 0;
    for (std::uint32_t i = 0; i < draws; i += 8) {
      const Int8s stored = Int8::stochastic(eight(value), random.eight_from(i), 1, 127);
      for (int lane = 0; lane < 8; ++lane) {
        ASSERT_LE(std::abs(stored[lane] - value), 1.0F);
        sum += stored[lane];
      }
    }
    const double up = value - std::floor(value);
    EXPECT_NEAR(sum / draws, value, 5 * std::sqrt(up * (1 - up) / draws) + 0x1p-17) << value;
  }
}

TEST(ScaledPrecision, StaysWithinItsLimitAndNanBecomesZero) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::uint32_t random : {0U, 0xFFFFFFFFU}) {
    EXPECT_EQ(Int8::stochastic(eight(infinity), all_lanes<Words>(random), 0x1p120F, 127)[0], 127);
    EXPECT_EQ(Int8::stochastic(eight(-1000), all_lanes<Words>(random), 1, 100)[0], -100);
    EXPECT_LE(Int8::stochastic(eight(99.9F), all_lanes<Words>(random), 1, 100)[0], 100);
    EXPECT_EQ(Int8::stochastic(eight(std::nanf("")), all_lanes<Words>(random), 1, 127)[0], 0);
  }
  EXPECT_EQ(Int8::nearest(eight(std::nanf("")), 1)[0], 0);
}

// The scale follows the largest value, up at once and down again, and takes no small value along while it
// goes down.
TEST(ScaledPrecision, TheScaleOfARowFollowsItsLargestValue) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::int8, 3);
  schema.table.init.type = config::InitType::zero;
  schema.table.optimizer.learning_rate = 1;
  const auto table = make_table(schema, {.seed = 1});
  const Answer answer = lookup(*table, ids_of({5}));
  const auto move = [&](std::vector<float> by) {
    for (float& one : by) one = -one;
    table->update(answer.rows, by, Step(0));
    return lookup(*table, ids_of({5})).values;
  };
  EXPECT_EQ(move({1, 0.5F, 0}), (std::vector<float>{1, 0.5F, 0}));
  EXPECT_EQ(move({127, -0.5F, 0})[0], 128);
  EXPECT_EQ(move({0, -64, 64})[2], 64);
  EXPECT_EQ(move({-120, 0, -63}), (std::vector<float>{8, -64 + 0.0F, 1}));
}

}  // namespace
}  // namespace persia::table
