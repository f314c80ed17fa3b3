#include "table/precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "table/rounding.hpp"

namespace persia::table {
namespace {

// Binary16 by its definition.
double half_by_definition(std::uint16_t stored) {
  const int exponent = stored >> 10 & 0x1F;
  const int fraction = stored & 0x3FF;
  const double sign = (stored & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class Value>
void expect_round_trip_of_every_pattern() {
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const auto stored = static_cast<std::uint16_t>(pattern);
    const float value = Value::decode(stored);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(Value::nearest(value), stored);
    ASSERT_EQ(Value::stochastic(value, 0), stored);
    ASSERT_EQ(Value::stochastic(value, 0xFFFFFFFF), stored);
  }
}

TEST(Precision, Fp16DecodesEveryPatternExactly) {
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const double right = half_by_definition(static_cast<std::uint16_t>(pattern));
    const float value = Fp16::decode(static_cast<std::uint16_t>(pattern));
    ASSERT_EQ(std::isnan(value), std::isnan(right)) << pattern;
    if (std::isnan(right)) continue;
    ASSERT_EQ(value, right) << pattern;
    ASSERT_EQ(std::signbit(value), std::signbit(right)) << pattern;
  }
}

TEST(Precision, Fp16KeepsEveryFinitePattern) {
  expect_round_trip_of_every_pattern<Fp16>();
}
TEST(Precision, Bf16KeepsEveryFinitePattern) {
  expect_round_trip_of_every_pattern<Bf16>();
}

// Between two neighbours the nearer one wins, and half-way the even one.
template <class Value>
void expect_nearest_between_all_neighbours() {
  for (std::uint16_t lower = 0; std::isfinite(Value::decode(lower + 1)); ++lower) {
    const double below = Value::decode(lower), above = Value::decode(lower + 1);
    const double middle = (below + above) / 2, quarter = (above - below) / 4;
    const std::uint16_t even = lower % 2 == 0 ? lower : lower + 1;
    ASSERT_EQ(Value::nearest(static_cast<float>(middle)), even) << lower;
    ASSERT_EQ(Value::nearest(static_cast<float>(middle - quarter)), lower);
    ASSERT_EQ(Value::nearest(static_cast<float>(middle + quarter)), lower + 1);
    ASSERT_EQ(Value::nearest(static_cast<float>(-middle)), even | 0x8000);
  }
}

TEST(Precision, Fp16RoundsToNearestEven) {
  expect_nearest_between_all_neighbours<Fp16>();
}
TEST(Precision, Bf16RoundsToNearestEven) {
  expect_nearest_between_all_neighbours<Bf16>();
}

// The mean of many roundings is the value: within 5 standard deviations of a fair coin with its probability.
template <class Value>
void expect_unbiased(float value) {
  constexpr int draws = 20000;
  const RoundingStream random(7, 8, 9);
  double sum = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::uint32_t i = 0; i < draws; ++i) {
    const double rounded = Value::decode(Value::stochastic(value, random.bits(i)));
    sum += rounded;
    low = std::min(low, rounded);
    high = std::max(high, rounded);
  }
  EXPECT_LE(low, value);
  EXPECT_GE(high, value);
  const double gap = high - low;
  const double up = gap > 0 ? (value - low) / gap : 0;
  EXPECT_NEAR(sum / draws, value, 5 * gap * std::sqrt(std::max(up * (1 - up), 1.0 / draws) / draws)) << value;
}

TEST(Precision, StochasticRoundingIsUnbiased) {
  for (const float value :
       {0.1F, -0.1F, 1.0003F, 3.14159F, -1234.567F, 6.0e-5F, 3.0e-6F, 1.1e-7F, 4.0e-8F, -2.2e-8F}) {
    expect_unbiased<Fp16>(value);
    expect_unbiased<Bf16>(value);
  }
}

TEST(Precision, ValuesBeyondTheRangeSaturateAndNanStays) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::uint32_t random : {0U, 0xFFFFFFFFU}) {
    EXPECT_EQ(Fp16::decode(Fp16::stochastic(1e6F, random)), 65504.0F);
    EXPECT_EQ(Fp16::decode(Fp16::stochastic(-infinity, random)), -65504.0F);
    EXPECT_EQ(Fp16::decode(Fp16::stochastic(65519.0F, random)), 65504.0F);
    EXPECT_TRUE(std::isfinite(Bf16::decode(Bf16::stochastic(3.402e38F, random))));
    EXPECT_TRUE(std::isfinite(Bf16::decode(Bf16::stochastic(infinity, random))));
    EXPECT_TRUE(std::isnan(Fp16::decode(Fp16::stochastic(std::nanf(""), random))));
    EXPECT_TRUE(std::isnan(Bf16::decode(Bf16::stochastic(std::nanf(""), random))));
  }
  EXPECT_EQ(Fp16::decode(Fp16::nearest(1e6F)), 65504.0F);
  EXPECT_TRUE(std::isnan(Fp16::decode(Fp16::nearest(std::nanf("")))));
}

}  // namespace
}  // namespace persia::table
