#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace persia {
namespace {

// First values of rows and the shuffle depend on these; see hash_test.cpp for mix64.
TEST(Random, IsAFixedFunctionOfSeedStreamAndCounter) {
  static_assert(random_bits(1, 2, 3) == mix64(mix64(3) + 3));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(1, 2, 4));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(1, 3, 3));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(2, 2, 3));
}

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
  constexpr int n = 100000;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = random_uniform(7, 1, i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.005);
  EXPECT_NEAR(squares / n, 1.0 / 3.0, 0.005);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  constexpr int n = 100000;
  double sum = 0, squares = 0, fourth = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double z = random_normal(7, 1, i);
    ASSERT_TRUE(std::isfinite(z));
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.016);
  EXPECT_NEAR(squares / n, 1.0, 0.023);
  EXPECT_NEAR(fourth / n, 3.0, 0.16);
}

TEST(Random, BelowStaysBelowAndReachesEveryNumber) {
  std::array<int, 7> counts{};
  for (std::uint64_t i = 0; i < 70000; ++i) ++counts.at(random_below(3, 1, i, 7));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(random_below(3, 1, 5, 1), 0U);
}

TEST(Random, StreamsAreUncorrelated) {
  constexpr int n = 100000;
  double product = 0;
  for (std::uint64_t i = 0; i < n; ++i)
    product += (random_uniform(1, 1, i) - 0.5) * (random_uniform(1, 2, i) - 0.5);
  EXPECT_NEAR(product / n * 12, 0.0, 0.02);
}

}  // namespace
}  // namespace persia
