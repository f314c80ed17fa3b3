#include "metrics/score_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/random.hpp"

namespace persia::metrics {
namespace {

TEST(ScoreKeys, HaveTheOrderOfTheFloats) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> ascending = {-infinity, -3e38F, -1.0F, -1e-45F, 0.0F,
                                        1e-45F,    1.0F,   3e38F, infinity};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i)
    EXPECT_LT(score_key(ascending[i]), score_key(ascending[i + 1]));
  EXPECT_EQ(score_key(-0.0F), score_key(0.0F));
}

TEST(ScoreKeys, AreSorted) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 1000UL, 100003UL}) {
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < n; ++i) keys.push_back(static_cast<std::uint32_t>(random_bits(1, n, i)));
    std::vector<std::uint32_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    sort_keys(keys);
    EXPECT_EQ(keys, expected);
  }
}

}  // namespace
}  // namespace persia::metrics
