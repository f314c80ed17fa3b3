#include "metrics/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace persia::metrics {
namespace {

TEST(ExactSum, DoesNotDependOnOrder) {
  std::vector<double> terms = {0.1, 1e12, 3e-16, 0.7, 800.0, 1.0 / 3.0, 0x1p40, 1e-9};
  std::sort(terms.begin(), terms.end());
  ExactSum first;
  for (const double term : terms) first.add(term);
  do {
    ExactSum sum;
    for (const double term : terms) sum.add(term);
    ASSERT_EQ(sum.digits(), first.digits());
  } while (std::next_permutation(terms.begin(), terms.end()));
}

TEST(ExactSum, DigitsOfManyRanksAddUp) {
  ExactSum all;
  std::array<std::int64_t, 4> digits{};
  for (int rank = 0; rank < 1000; ++rank) {
    ExactSum part;
    part.add(0x1p40 - rank * 0.123);
    all.add(0x1p40 - rank * 0.123);
    for (std::size_t i = 0; i < 4; ++i) digits[i] += part.digits()[i];
  }
  EXPECT_EQ(ExactSum::from_digits(digits).digits(), all.digits());
  EXPECT_DOUBLE_EQ(all.value(), 1000 * 0x1p40 - 0.123 * 999 * 500);
}

TEST(ExactSum, IsExactForShortFractions) {
  ExactSum sum;
  for (int i = 0; i < 1000; ++i) sum.add(0.125);
  sum.add(0.0);
  EXPECT_EQ(sum.value(), 125.0);
}

}  // namespace
}  // namespace persia::metrics
