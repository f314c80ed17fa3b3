#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "metrics/metrics.hpp"

namespace persia::metrics {
namespace {

using ::testing::HasSubstr;

Quality measure(const std::vector<float>& logits, const std::vector<float>& labels,
                std::size_t batch = 1000) {
  QualityMeter meter;
  for (std::size_t begin = 0; begin < logits.size(); begin += batch) {
    const std::size_t n = std::min(batch, logits.size() - begin);
    meter.add(std::span(logits).subspan(begin, n), std::span(labels).subspan(begin, n));
  }
  return meter.reduce(sys::Communicator::self());
}

TEST(QualityMeter, GivesOneAucOverAllRowsWhateverTheBatch) {
  const std::vector<float> labels = {1, 0, 1, 0, 0, 0, 1}, scores = {.3F, .1F, .9F, .7F, .8F, .6F, .2F};
  for (const std::size_t batch : {1, 2, 3, 7, 100})
    EXPECT_EQ(measure(scores, labels, batch).auc, 0.5) << batch;
}

TEST(QualityMeter, SaysWhyAucIsUndefined) {
  const std::vector<float> scores = {1, 2, 3, 4, 5, 6, 7, 8};
  const Quality negatives = measure(scores, std::vector<float>(8, 0.0F));
  EXPECT_FALSE(negatives.auc);
  EXPECT_EQ(negatives.auc_reason, "no positive rows");
  EXPECT_TRUE(negatives.log_loss_defined);
  EXPECT_TRUE(std::isfinite(negatives.log_loss));
  const Quality positives = measure(scores, std::vector<float>(8, 1.0F));
  EXPECT_FALSE(positives.auc);
  EXPECT_EQ(positives.auc_reason, "no negative rows");
  EXPECT_EQ(positives.positives, 8);
  const Quality nothing = measure({}, {});
  EXPECT_FALSE(nothing.auc);
  EXPECT_EQ(nothing.auc_reason, "no rows");
  EXPECT_FALSE(nothing.log_loss_defined);
  EXPECT_EQ(nothing.log_loss, 0.0);
  EXPECT_FALSE(nothing.constant_predictions || nothing.saturated_predictions);
}

TEST(QualityMeter, GivesTheSameBitsInEveryOrder) {
  std::vector<float> logits, labels;
  for (int i = 0; i < 5000; ++i) {
    logits.push_back(std::sin(static_cast<float>(i)) * 7);
    labels.push_back(i % 3 == 0 ? 1.0F : 0.0F);
  }
  const Quality forward = measure(logits, labels, 64);
  std::reverse(logits.begin(), logits.end());
  std::reverse(labels.begin(), labels.end());
  const Quality backward = measure(logits, labels, 77);
  EXPECT_EQ(forward.auc, backward.auc);
  EXPECT_EQ(forward.log_loss, backward.log_loss);
  EXPECT_EQ(forward.mean_prediction, backward.mean_prediction);
  double expected = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) expected += log_loss_of(logits[i], labels[i]);
  EXPECT_NEAR(forward.log_loss, expected / 5000, 1e-14);
}

TEST(QualityMeter, TakesLossesFromLogitsUnclipped) {
  EXPECT_DOUBLE_EQ(measure({40}, {0}).log_loss, 40.0);
  EXPECT_DOUBLE_EQ(measure({-800}, {1}).log_loss, 800.0);
}

TEST(QualityMeter, NamesConstantAndSaturatedPredictions) {
  EXPECT_TRUE(measure({.5F, .5F, .5F}, {0, 1, 0}).constant_predictions);
  EXPECT_EQ(measure({.5F, .5F, .5F}, {0, 1, 0}).auc, 0.5);
  EXPECT_FALSE(measure({.5F, .5F, .6F}, {0, 1, 0}).constant_predictions);
  EXPECT_TRUE(measure({-20, 30}, {0, 1}).saturated_predictions);
  EXPECT_FALSE(measure({-20, 30, 2}, {0, 1, 0}).saturated_predictions);
  EXPECT_FALSE(measure({-16.1F}, {0}).saturated_predictions);
}

TEST(QualityMeter, CountsPredictionsThatAreNoNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  const Quality quality = measure({nan, 1, -infinity, 2}, {1, 0, 1, 1});
  EXPECT_FALSE(quality.auc);
  EXPECT_THAT(quality.auc_reason, HasSubstr("2 of 4 predictions are not finite"));
  EXPECT_FALSE(quality.log_loss_defined);
  EXPECT_EQ(quality.rows, 4);
  EXPECT_EQ(quality.positives, 3);
  EXPECT_EQ(quality.unusable_predictions, 2);
  EXPECT_TRUE(std::isfinite(quality.mean_prediction));
}

TEST(QualityMeter, IsEmptyAfterwards) {
  QualityMeter meter;
  meter.add(std::vector<float>{1, 2}, std::vector<float>{0, 1});
  EXPECT_EQ(meter.reduce(sys::Communicator::self()).rows, 2);
  EXPECT_EQ(meter.reduce(sys::Communicator::self()).rows, 0);
}

TEST(QualityMeter, RefusesOtherLabels) {
  QualityMeter meter;
  EXPECT_THROW(meter.add(std::vector<float>{1}, std::vector<float>{0.5F}), Error);
}

}  // namespace
}  // namespace persia::metrics
