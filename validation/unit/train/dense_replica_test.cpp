#include "train/dense_replica.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "replica.hpp"

namespace persia::train {
namespace {

double sigmoid(double z) {
  return 1 / (1 + std::exp(-z));
}

// The first batch of the example, with row values 0.1, 0.2, 0.3, ...
void fill(Flight& flight, const Example& example, data::Slice slice = {}) {
  FeedOptions options = example.feed_options();
  options.source.slice = slice;
  BatchFeed feed(example.run.data, example.schema, options);
  flight.input = wait_for_batch(feed).value();
  flight.rows.resize(static_cast<std::size_t>(flight.input.plan.num_floats));
  for (std::size_t i = 0; i < flight.rows.size(); ++i) flight.rows[i] = 0.1F * static_cast<float>(i + 1);
}

// What one step should come to, for logit = w x + b + sum of the id's row with w = b = 0.
struct Expected {
  double loss_sum = 0;
  std::array<double, 2> gradient{};  // of weight and bias, summed
  std::vector<double> row_gradients;
};

Expected plain_step(const Flight& flight) {
  const data::Batch& batch = flight.input.batch;
  Expected expected;
  expected.row_gradients.resize(flight.rows.size());
  for (std::size_t i = 0; i < batch.labels.size(); ++i) {
    const auto row = static_cast<std::size_t>(flight.input.plan.row_of_entry[0][i]);
    const double logit = double{flight.rows[2 * row]} + double{flight.rows[2 * row + 1]};
    const double d = sigmoid(logit) - double{batch.labels[i]};
    expected.loss_sum += std::log(1 + std::exp(batch.labels[i] > 0 ? -logit : logit));
    expected.gradient[0] += d * double{batch.dense[i]};
    expected.gradient[1] += d;
    for (const std::size_t place : {2 * row, 2 * row + 1})
      expected.row_gradients[place] += d / static_cast<double>(batch.global_rows);
  }
  return expected;
}

TEST(DenseReplica, OneStepIsThePlainFormula) {
  const Example example;
  Replica replica(example);
  Flight flight;
  fill(flight, example);
  const Expected expected = plain_step(flight);
  replica.train_step(flight);

  EXPECT_EQ(flight.stage, Flight::Stage::done);
  EXPECT_NEAR(flight.totals.loss_sum, expected.loss_sum, 1e-5);
  EXPECT_EQ(flight.totals.rows, 4);
  EXPECT_EQ(flight.totals.failed, 0);
  const std::vector<float> parameters = replica.parameters();
  ASSERT_EQ(parameters.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(parameters[p], -0.5 * expected.gradient[p] / 4, 1e-6);
  ASSERT_EQ(flight.row_gradients.size(), expected.row_gradients.size());
  for (std::size_t i = 0; i < flight.row_gradients.size(); ++i)
    EXPECT_NEAR(flight.row_gradients[i], expected.row_gradients[i], 1e-6);
}

TEST(DenseReplica, GradientsAreMeansOverTheGlobalBatchNotOverTheOwnRows) {
  const Example example;
  Replica replica(example);
  Flight flight;
  fill(flight, example);
  flight.input.batch.global_rows = 16;
  const Expected expected = plain_step(flight);
  replica.train_step(flight);
  EXPECT_NEAR(replica.parameters()[0], -0.5 * expected.gradient[0] / 16, 1e-6);
  EXPECT_NEAR(flight.row_gradients[0], expected.row_gradients[0], 1e-6);
}

TEST(DenseReplica, AnEmptySliceChangesNothing) {
  const Example example;
  Replica replica(example);
  Flight flight;
  fill(flight, example, {.index = 0, .count = 8});
  ASSERT_EQ(flight.input.batch.num_samples, 0);
  replica.train_step(flight);
  EXPECT_EQ(flight.stage, Flight::Stage::done);
  EXPECT_EQ(flight.totals.rows, 0);
  EXPECT_EQ(flight.totals.loss_sum, 0);
  EXPECT_TRUE(flight.row_gradients.empty());
  EXPECT_EQ(replica.parameters(), (std::vector<float>{0, 0}));
}

TEST(DenseReplica, AsyncModeStepsOnItsOwnMeanAndAveragesWhenDue) {
  const std::vector<std::string> async = {"training.mode=async", "training.average_every=2"};
  const Example example(rows(32), async);
  Replica alone(example), one_of_two(example, 2);
  std::vector<float> expected;
  for (const std::int64_t step : {0, 1}) {
    Flight a, b;
    for (Flight* flight : {&a, &b}) {
      fill(*flight, example);
      flight->input.batch.global_rows = 8;
      flight->step = Step(step);
    }
    const Expected plain = plain_step(a);
    alone.train_step(a);
    one_of_two.train_step(b);
    expected = alone.parameters();
    if (step == 0) {
      EXPECT_NEAR(expected[0], -0.5 * plain.gradient[0] / 4, 1e-6) << "own rows, not the global batch";
      EXPECT_EQ(one_of_two.parameters(), expected) << "not due yet";
    }
  }
  for (float& value : expected) value /= 2;
  EXPECT_EQ(one_of_two.parameters(), expected) << "the mean with the other one's zeros";
}

TEST(DenseReplica, AfterALossThatIsNotFiniteLaterStepsDoNothing) {
  const Example example;
  Replica replica(example);
  Flight broken, later;
  fill(broken, example);
  fill(later, example);
  broken.rows[0] = std::numeric_limits<float>::quiet_NaN();
  replica.train_step(broken);
  EXPECT_EQ(broken.stage, Flight::Stage::done);
  EXPECT_FALSE(std::isfinite(broken.totals.loss_sum));
  replica.train_step(later);
  EXPECT_EQ(later.stage, Flight::Stage::looking_up);
  EXPECT_TRUE(later.row_gradients.empty());
}

TEST(DenseReplica, EvaluationGivesLogitsAndLearnsNothing) {
  const Example example;
  Replica replica(example);
  Flight flight;
  fill(flight, example);
  kokkos_thread().call([&] { (*replica).evaluate_step(flight); });
  EXPECT_EQ(flight.stage, Flight::Stage::done);
  ASSERT_EQ(flight.logits.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto row = static_cast<std::size_t>(flight.input.plan.row_of_entry[0][i]);
    EXPECT_FLOAT_EQ(flight.logits[i], flight.rows[2 * row] + flight.rows[2 * row + 1]);
  }
  EXPECT_EQ(replica.parameters(), (std::vector<float>{0, 0}));
}

TEST(DenseReplica, TimesCoverTheIdleTimeBeforeTheStepAndTheStep) {
  const Example example;
  Replica replica(example);
  Flight flight;
  fill(flight, example);
  const double begin = now_seconds();
  flight.read_at = begin - 1;
  kokkos_thread().call([&] { (*replica).train_step(flight, begin - 3); });
  EXPECT_NEAR(flight.times.read, 2, 1e-6);
  EXPECT_GE(flight.times.lookup_wait, 1);
  EXPECT_GT(flight.times.compute, 0);
  EXPECT_EQ(flight.times.all_reduce, 0);
}

}  // namespace
}  // namespace persia::train
