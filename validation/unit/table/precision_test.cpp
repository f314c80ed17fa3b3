#include "table/precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "table/rounding.hpp"

namespace persia::table {
namespace {

using Word = std::uint32_t;

// One value through the codecs that the row loops use eight at a time.
template <class Value>
float decode(std::uint32_t stored) {
  return Value::template decode<Word>(stored);
}
template <class Value>
std::uint32_t nearest(float value) {
  return Value::template nearest<Word>(value);
}
template <class Value>
std::uint32_t stochastic(float value, std::uint32_t random) {
  return Value::template stochastic<Word>(value, Value::kLargestValue, random);
}

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
    const float value = decode<Value>(pattern);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(nearest<Value>(value), pattern);
    ASSERT_EQ(stochastic<Value>(value, 0), pattern);
    ASSERT_EQ(stochastic<Value>(value, 0xFFFFFFFF), pattern);
  }
}

TEST(Precision, Fp16DecodesEveryPatternExactly) {
  for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const double right = half_by_definition(static_cast<std::uint16_t>(pattern));
    const float value = decode<Fp16>(pattern);
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
  for (std::uint32_t lower = 0; std::isfinite(decode<Value>(lower + 1)); ++lower) {
    const double below = decode<Value>(lower), above = decode<Value>(lower + 1);
    const double middle = (below + above) / 2, quarter = (above - below) / 4;
    const std::uint32_t even = lower % 2 == 0 ? lower : lower + 1;
    ASSERT_EQ(nearest<Value>(static_cast<float>(middle)), even) << lower;
    ASSERT_EQ(nearest<Value>(static_cast<float>(middle - quarter)), lower);
    ASSERT_EQ(nearest<Value>(static_cast<float>(middle + quarter)), lower + 1);
    ASSERT_EQ(nearest<Value>(static_cast<float>(-middle)), even | 0x8000U);
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
    const double rounded = decode<Value>(stochastic<Value>(value, random.bits(i)));
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

TEST(Precision, EightValuesAtOnceGiveTheBitsOfOne) {
  const RoundingStream random(1, 2, 3);
  for (std::uint32_t begin = 0; begin < 100000; begin += 8) {
    Words raw, dice;
    for (std::uint32_t i = 0; i < 8; ++i)
      raw[i] = random.bits(begin + i), dice[i] = random.bits(~(begin + i));
    const Words half = Fp16::stochastic<Words>(as_float<Words>(raw), Fp16::kLargestValue, dice);
    const Words brain = Bf16::stochastic<Words>(as_float<Words>(raw), Bf16::kLargestValue, dice);
    const Words close = Fp16::nearest<Words>(as_float<Words>(raw));
    const Words decoded = as_word(Fp16::decode<Words>(raw & 0xFFFFU));
    for (int i = 0; i < 8; ++i) {
      ASSERT_EQ(half[i], stochastic<Fp16>(as_float<Word>(raw[i]), dice[i]));
      ASSERT_EQ(brain[i], stochastic<Bf16>(as_float<Word>(raw[i]), dice[i]));
      ASSERT_EQ(close[i], nearest<Fp16>(as_float<Word>(raw[i])));
      ASSERT_EQ(decoded[i], as_word(decode<Fp16>(raw[i] & 0xFFFFU)));
    }
  }
}

TEST(Precision, ValuesBeyondTheRangeSaturateAndNanStays) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const std::uint32_t random : {0U, 0xFFFFFFFFU}) {
    EXPECT_EQ(decode<Fp16>(stochastic<Fp16>(1e6F, random)), 65504.0F);
    EXPECT_EQ(decode<Fp16>(stochastic<Fp16>(-infinity, random)), -65504.0F);
    EXPECT_EQ(decode<Fp16>(stochastic<Fp16>(65519.0F, random)), 65504.0F);
    EXPECT_TRUE(std::isfinite(decode<Bf16>(stochastic<Bf16>(3.402e38F, random))));
    EXPECT_TRUE(std::isfinite(decode<Bf16>(stochastic<Bf16>(infinity, random))));
    EXPECT_TRUE(std::isnan(decode<Fp16>(stochastic<Fp16>(std::nanf(""), random))));
    EXPECT_TRUE(std::isnan(decode<Bf16>(stochastic<Bf16>(std::nanf(""), random))));
  }
  EXPECT_EQ(decode<Fp16>(nearest<Fp16>(1e6F)), 65504.0F);
  EXPECT_TRUE(std::isfinite(decode<Bf16>(nearest<Bf16>(infinity))));
  EXPECT_TRUE(std::isnan(decode<Bf16>(nearest<Bf16>(-std::nanf("")))));
  EXPECT_TRUE(std::isnan(decode<Fp16>(nearest<Fp16>(std::nanf("")))));
}

// Which is a number of the type, as weight bounds are.
template <class Value>
void expect_limit(float limit) {
  for (const std::uint32_t random : {0U, 0xFFFFFFFFU})
    for (const float beyond : {limit, 1.001F * limit, 1e4F * limit}) {
      EXPECT_EQ(decode<Value>(Value::template stochastic<Word>(beyond, limit, random)), limit);
      EXPECT_EQ(decode<Value>(Value::template stochastic<Word>(-beyond, limit, random)), -limit);
    }
  EXPECT_LT(decode<Value>(Value::template stochastic<Word>(0.99F * limit, limit, 0U)), limit);
}

TEST(Precision, StochasticRoundingDoesNotLeadBeyondALimit) {
  for (const float limit : {0.5F, 1.0F, 96.0F}) {
    expect_limit<Fp16>(limit);
    expect_limit<Bf16>(limit);
  }
}

}  // namespace
}  // namespace persia::table
