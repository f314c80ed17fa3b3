#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "metrics/metrics.hpp"

namespace persia::metrics {
namespace {

TEST(Auc, CountsTiesHalfInEveryOrderOfRows) {
  const std::vector<float> labels = {1, 0, 1, 0, 1, 0}, scores = {.9F, .6F, .6F, .6F, .2F, .2F};
  std::vector<std::size_t> order(6);
  std::iota(order.begin(), order.end(), std::size_t{0});
  int orders = 0;
  do {
    std::vector<float> l, s;
    for (const std::size_t i : order) {
      l.push_back(labels[i]);
      s.push_back(scores[i]);
    }
    EXPECT_EQ(exact_auc(s, l), 11.0 / 18.0);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 720);
}

TEST(Auc, IsOneHalfForConstantScores) {
  EXPECT_EQ(exact_auc(std::vector<float>(6, 0.25F), std::vector<float>{1, 0, 1, 0, 1, 0}), 0.5);
}

TEST(Auc, TakesBothZerosAsEqual) {
  EXPECT_EQ(exact_auc(std::vector<float>{-0.0F, 0.0F}, std::vector<float>{1, 0}), 0.5);
}

TEST(Auc, IsUndefinedWithoutOneOfTheClasses) {
  EXPECT_FALSE(exact_auc(std::vector<float>{1, 2}, std::vector<float>{1, 1}));
  EXPECT_FALSE(exact_auc(std::vector<float>{1, 2}, std::vector<float>{0, 0}));
  EXPECT_FALSE(exact_auc({}, {}));
}

TEST(Auc, EqualsTheCountOfPairs) {
  std::vector<float> scores, labels;
  for (int i = 0; i < 700; ++i) {
    scores.push_back(static_cast<float>((i * 7919) % 101 - 50) / 8.0F);
    labels.push_back((i * 31) % 7 < 2 ? 1.0F : 0.0F);
  }
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (labels[i] == 1 && labels[j] == 0) {
        ++pairs;
        won += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
      }
  EXPECT_EQ(exact_auc(scores, labels), won / pairs);
}

}  // namespace
}  // namespace persia::metrics
