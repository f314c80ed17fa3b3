#include "commands/visit_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace persia::commands {
namespace {

constexpr std::int64_t kRows = 40000;

TEST(VisitOrder, UniformVisitsEveryRowOnceInRandomOrder) {
  VisitOrder order = uniform_order(kRows);
  EXPECT_EQ(order.batch_ends, (std::vector<std::size_t>{16384, 32768, 40000}));
  const std::vector<std::uint32_t> rows = arrival_order(kRows).rows;
  EXPECT_NE(order.rows, rows);
  std::ranges::sort(order.rows);
  EXPECT_EQ(order.rows, rows);
}

TEST(VisitOrder, ZipfBatchesHoldDistinctRows) {
  const VisitOrder order = zipf_order(uniform_order(kRows).rows, 1.05);
  EXPECT_EQ(order.batch_ends.size(), 3U);
  EXPECT_EQ(order.batch_ends.back(), order.rows.size());
  EXPECT_LT(order.rows.size(), kRows / 2);  // most draws are of few rows
  order.for_each_batch([&](std::size_t begin, std::size_t size) {
    const auto first = order.rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::set<std::uint32_t> distinct(first, first + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(distinct.size(), size);
    EXPECT_LT(*distinct.rbegin(), kRows);
  });
}

// Of batches of 16384 draws among very many rows, a row with probability p is in 1 - (1 - p)^16384.
TEST(VisitOrder, ZipfRowsAreAsFrequentAsTheirRanks) {
  constexpr std::int64_t rows = 200 * std::int64_t{kBatchRows};
  constexpr double exponent = 1.05;
  const VisitOrder order = zipf_order(arrival_order(rows).rows, exponent);
  double sum = 0;
  for (std::int64_t rank = rows; rank >= 1; --rank) sum += std::pow(static_cast<double>(rank), -exponent);
  std::vector<double> visits(static_cast<std::size_t>(rows), 0);
  for (const std::uint32_t row : order.rows) ++visits[row];
  const auto batches = static_cast<double>(order.batch_ends.size());
  for (const std::int64_t first : {1, 1000, 10000, 100000}) {  // a tenth of the ranks from there on together
    double expected = 0;
    double seen = 0;
    for (std::int64_t rank = first; rank < first + std::max<std::int64_t>(1, first / 10); ++rank) {
      const double probability = std::pow(static_cast<double>(rank), -exponent) / sum;
      expected += batches * -std::expm1(static_cast<double>(kBatchRows) * std::log1p(-probability));
      seen += visits[static_cast<std::size_t>(rank - 1)];
    }
    EXPECT_NEAR(seen, expected, 5 * std::sqrt(expected)) << "ranks from " << first;
  }
}

}  // namespace
}  // namespace persia::commands
