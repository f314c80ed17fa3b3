#include "data/order.hpp"

#include <algorithm>
#include <numeric>

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(WindowPermutation, HoldsEveryRowOnce) {
  for (const std::int64_t rows : {0, 1, 2, 13, 1000}) {
    std::vector<std::uint32_t> order = window_permutation(1, 0, 0, rows);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(order, all);
  }
}

TEST(WindowPermutation, DependsOnSeedEpochAndWindow) {
  const auto order = window_permutation(1, 0, 0, 1000);
  EXPECT_EQ(order, window_permutation(1, 0, 0, 1000));
  EXPECT_NE(order, window_permutation(2, 0, 0, 1000));
  EXPECT_NE(order, window_permutation(1, 1, 0, 1000));
  EXPECT_NE(order, window_permutation(1, 0, 1, 1000));
}

// Resumed runs rely on it; the values were written down when the function was made.
TEST(WindowPermutation, NeverChanges) {
  EXPECT_EQ(window_permutation(1, 0, 0, 8), (std::vector<std::uint32_t>{4, 3, 0, 1, 5, 7, 2, 6}));
}

TEST(WindowPermutation, PutsEveryRowAnywhere) {
  std::vector<int> first(5);
  for (std::uint64_t seed = 0; seed < 5000; ++seed) ++first[window_permutation(seed, 0, 0, 5)[0]];
  for (const int count : first) EXPECT_NEAR(count, 1000, 150);
}

TEST(SliceRange, CoversEveryRowOnceForAnyNumberOfTrainers) {
  for (std::int64_t rows = 0; rows <= 13; ++rows)
    for (std::int32_t count = 1; count <= 5; ++count) {
      std::int64_t next = 0;
      for (std::int32_t index = 0; index < count; ++index) {
        const RowRange range = slice_range(rows, {.index = index, .count = count});
        EXPECT_EQ(range.begin, next);
        next = range.end;
      }
      EXPECT_EQ(next, rows);
    }
}

}  // namespace
}  // namespace persia::data
