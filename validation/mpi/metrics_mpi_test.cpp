// Quality over ranks: one AUC over all rows, the same bits on every rank and for every number of ranks.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "metrics/metrics.hpp"
#include "sys/communicator.hpp"

namespace persia::metrics {
namespace {

// Deals rows to ranks by `owner(row)`.
template <class Owner>
Quality measure(const sys::Communicator& comm, const std::vector<float>& logits,
                const std::vector<float>& labels, Owner owner) {
  QualityMeter meter;
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (owner(static_cast<int>(i)) == comm.rank())
      meter.add(std::span(logits).subspan(i, 1), std::span(labels).subspan(i, 1));
  return meter.reduce(comm);
}

std::int64_t bits(double value) {
  return std::bit_cast<std::int64_t>(value);
}

void expect_everywhere(const sys::Communicator& comm, double value) {
  EXPECT_EQ(comm.min(bits(value)), comm.max(bits(value)));
}

TEST(QualityOverRanks, IsOneAucOverAllRows) {
  const sys::Communicator world = sys::Communicator::world();
  const std::vector<float> labels = {1, 0, 1, 0, 0, 0, 1}, scores = {.3F, .1F, .9F, .7F, .8F, .6F, .2F};
  const Quality quality = measure(world, scores, labels, [&](int i) { return i % world.size(); });
  EXPECT_EQ(quality.auc, 0.5);
  EXPECT_EQ(quality.rows, 7);
  EXPECT_EQ(quality.positives, 3);
}

TEST(QualityOverRanks, HasTheBitsOfASingleProcess) {
  const sys::Communicator world = sys::Communicator::world();
  std::vector<float> logits, labels;
  for (int i = 0; i < 2000; ++i) {
    logits.push_back(std::sin(static_cast<float>(i)) * 9);
    labels.push_back(i % 3 == 0 ? 1.0F : 0.0F);
  }
  QualityMeter alone;
  alone.add(logits, labels);
  const Quality expected = alone.reduce(sys::Communicator::self());
  for (const int shift : {0, 1, 5}) {
    const Quality quality =
        measure(world, logits, labels, [&](int i) { return (i * 7 + shift) % world.size(); });
    EXPECT_EQ(bits(quality.auc.value_or(-1)), bits(expected.auc.value_or(-2)));
    EXPECT_EQ(bits(quality.log_loss), bits(expected.log_loss));
    EXPECT_EQ(bits(quality.mean_prediction), bits(expected.mean_prediction));
    expect_everywhere(world, quality.log_loss);
  }
}

TEST(QualityOverRanks, WorksWhenAllRowsAreOnOneRank) {
  const sys::Communicator world = sys::Communicator::world();
  const int last = world.size() - 1;
  const Quality quality = measure(world, {1, 2, 3}, {0, 0, 1}, [&](int) { return last; });
  EXPECT_EQ(quality.auc, 1.0);
  EXPECT_FALSE(quality.constant_predictions);
  const Quality constant =
      measure(world, {2, 2, 2, 2}, {0, 0, 1, 1}, [&](int i) { return i % world.size(); });
  EXPECT_EQ(constant.auc, 0.5);
  EXPECT_TRUE(constant.constant_predictions);
  const Quality nothing = measure(world, {}, {}, [](int) { return 0; });
  EXPECT_FALSE(nothing.auc);
  EXPECT_EQ(nothing.auc_reason, "no rows");
}

}  // namespace
}  // namespace persia::metrics
