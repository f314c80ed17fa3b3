#include "train/pipeline.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "embed/local_source.hpp"
#include "late_owner.hpp"
#include "replica.hpp"
#include "train/own_supply.hpp"

namespace persia::train {
namespace {

std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t end) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(end - first));
  std::iota(result.begin(), result.end(), first);
  return result;
}

struct Training {
  const Example& example;
  Replica replica;
  std::shared_ptr<BatchFeed> feed;
  std::optional<OwnSupply> supply;
  std::unique_ptr<BatchPass> pass;
  StalenessControl bound;
  std::vector<std::int64_t> retired, staleness;

  explicit Training(const Example& of, std::int32_t num_trainers = 1)
      : example(of),
        replica(of, num_trainers),
        feed(std::make_shared<BatchFeed>(of.run.data, of.schema, of.feed_options())),
        bound(of.run.training) {}

  // Over the same feed, which goes on where it was.
  void supply_from(embed::EmbeddingSource& source, table::Purpose purpose = table::Purpose::train) {
    supply.emplace(source, [this](table::Purpose, const data::Position&) { return feed; });
    pass = supply->open(purpose, {});
  }
  Pipeline pipeline(embed::EmbeddingSource& source, double timeout_seconds = 60,
                    table::Purpose purpose = table::Purpose::train) {
    supply_from(source, purpose);
    return Pipeline({.supply = *supply,
                     .compute = kokkos_thread(),
                     .replica = *replica,
                     .reduce_box = replica.box,
                     .mode = example.run.training.mode,
                     .staleness = bound,
                     .timeout_seconds = timeout_seconds});
  }
  Step train(embed::EmbeddingSource& source, Step first = Step(0), Step end = Step(1000)) {
    Pipeline made = pipeline(source);
    return made.run_training(*pass, first, end, [&](const Flight& flight) {
      retired.push_back(flight.step.value());
      staleness.push_back(flight.staleness);
    });
  }
};

TEST(Pipeline, HybridModeUsesItsWholeStalenessAndNeverMore) {
  const Example example(rows(64), {"training.staleness=2"});
  Training run(example);
  LateOwner owner(3, 16);
  EXPECT_EQ(run.train(owner), Step(16));
  EXPECT_EQ(owner.most_open, 3);
  std::vector<std::int64_t> expected(16, 2);
  expected[0] = 0;
  expected[1] = 1;
  EXPECT_EQ(run.staleness, expected);
  EXPECT_EQ(owner.open_tokens(), 0) << "it waits until the last gradients are applied";
}

TEST(Pipeline, HybridModeWithoutStalenessHasOneTokenOpen) {
  const Example example(rows(32), {"training.staleness=0"});
  Training run(example);
  LateOwner owner(1, 8);
  EXPECT_EQ(run.train(owner), Step(8));
  EXPECT_EQ(owner.most_open, 1);
}

TEST(Pipeline, StepsStartArePushedAndRetireInTheOrderRead) {
  const Example example(rows(64));
  Training run(example);
  LateOwner owner(5, 16);
  EXPECT_EQ(run.train(owner, Step(100)), Step(116));
  EXPECT_EQ(owner.started, numbers(100, 116));
  EXPECT_EQ(owner.pushed, numbers(100, 116));
  EXPECT_EQ(run.retired, numbers(100, 116));
}

TEST(Pipeline, StopsAtTheEndItIsGivenAndGoesOnFromThereWithTheNextBatch) {
  const Example example(rows(32));
  Training run(example);
  LateOwner owner(5, 3);
  EXPECT_EQ(run.train(owner, Step(0), Step(3)), Step(3));
  EXPECT_EQ(run.retired, numbers(0, 3));
  EXPECT_EQ(owner.open_tokens(), 0);
  EXPECT_EQ(run.train(owner, Step(3)), Step(8));
  EXPECT_EQ(run.retired, numbers(0, 8));
}

TEST(Pipeline, SyncModeHasAtMostOneLookupThatIsNotPushed) {
  const Example example(rows(64), {"training.mode=sync"});
  Training run(example);
  LateOwner owner(1, 16);
  EXPECT_EQ(run.train(owner), Step(16));
  EXPECT_EQ(owner.most_unpushed, 1);
  EXPECT_EQ(run.staleness, std::vector<std::int64_t>(16, 0));
}

// Rows of the example's only table by id, without making any.
std::map<std::uint64_t, std::array<double, 2>> rows_of(table::Table& table, table::Purpose purpose) {
  std::map<std::uint64_t, std::array<double, 2>> result;
  for (std::uint64_t id = 0; id < 4; ++id) {
    std::array<float, 2> values{};
    std::array<table::Row, 1> row{};
    table.lookup(std::array{FeatureId(id)}, purpose, values, row, {});
    result[id] = {values[0], values[1]};
  }
  return result;
}

TEST(Pipeline, SyncModeOverLocalTablesIsPlainMinibatchSgd) {
  const Example example(rows(64), {"training.mode=sync"});
  Training run(example);
  const auto tables = example.tables();
  const auto source = embed::make_local_source(tables);
  const auto first_values = example.tables();
  auto embedding = rows_of(*first_values[0], table::Purpose::train);
  EXPECT_EQ(run.train(*source), Step(16));

  double weight = 0, bias = 0;
  for (int batch = 0; batch < 16; ++batch) {
    double d_weight = 0, d_bias = 0;
    std::map<std::uint64_t, double> d_row;
    for (int i = 4 * batch; i < 4 * batch + 4; ++i) {
      const auto id = static_cast<std::uint64_t>(i % 4);
      const double x = i % 5 - 2;
      const double logit = weight * x + bias + embedding[id][0] + embedding[id][1];
      const double d = (1 / (1 + std::exp(-logit)) - i % 2) / 4;
      d_weight += d * x;
      d_bias += d;
      d_row[id] += d;
    }
    weight -= 0.5 * d_weight;
    bias -= 0.5 * d_bias;
    for (const auto& [id, d] : d_row)
      for (double& value : embedding[id]) value -= d;
  }
  EXPECT_NEAR(run.replica.parameters()[0], weight, 1e-5);
  EXPECT_NEAR(run.replica.parameters()[1], bias, 1e-5);
  auto trained = rows_of(*tables[0], table::Purpose::evaluate);
  for (std::uint64_t id = 0; id < 4; ++id)
    for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(trained[id][d], embedding[id][d], 1e-5) << id;
}

TEST(Pipeline, DataThatFailStopTheTrainingAfterTheGoodBatches) {
  const Example example(rows(12) + "1,abc,2\n");
  Training run(example);
  LateOwner owner(5, 3);
  try {
    (void)run.train(owner);
    FAIL() << "the bad row was not noticed";
  } catch (const StoppedTraining& stopped) {
    ASSERT_TRUE(stopped.error);
    EXPECT_THAT(message_of<UserError>([&] { std::rethrow_exception(stopped.error); }),
                ::testing::HasSubstr("rows.csv:14"));
  }
  EXPECT_EQ(run.retired, numbers(0, 3));
  EXPECT_EQ(owner.pushed, numbers(0, 3));
}

TEST(Pipeline, WhatTheVisitorThrowsEndsTheTrainingWithNothingLeftOnTheComputeThread) {
  const Example example(rows(64));
  Training run(example);
  LateOwner owner(5, 16);
  EXPECT_EQ(message_of([&] {
              Pipeline pipeline = run.pipeline(owner);
              (void)pipeline.run_training(*run.pass, Step(0), Step(16), [](const Flight& flight) {
                require(flight.step < Step(2), "enough");
              });
            }),
            "enough");
  EXPECT_NO_THROW(kokkos_thread().call([] {}));
}

TEST(Pipeline, AnErrorOnTheComputeThreadEndsTheTraining) {
  const Example example;
  Training run(example);
  LateOwner owner(5, 8);
  ComputeThread broken([] { return std::shared_ptr<void>(); });
  broken.post([] { fail("out of memory"); });
  broken.wait_idle();
  run.supply_from(owner);
  Pipeline pipeline({.supply = *run.supply,
                     .compute = broken,
                     .replica = *run.replica,
                     .reduce_box = run.replica.box,
                     .mode = config::Mode::hybrid,
                     .staleness = run.bound,
                     .timeout_seconds = 60});
  EXPECT_EQ(
      message_of([&] { (void)pipeline.run_training(*run.pass, Step(0), Step(8), [](const Flight&) {}); }),
      "out of memory");
}

TEST(Pipeline, AnOwnerThatKeepsSilentIsNamedWhenTheTimeIsUp) {
  const Example example;
  Training run(example);
  LateOwner owner(5, 8);
  owner.silent = true;
  EXPECT_THAT(message_of([&] {
                Pipeline pipeline = run.pipeline(owner, 0.3);
                (void)pipeline.run_training(*run.pass, Step(0), Step(8), [](const Flight&) {});
              }),
              ::testing::AllOf(::testing::HasSubstr("nothing moved for 0.3 s while waiting for rows"),
                               ::testing::HasSubstr("the state of the owner")));
}

TEST(Pipeline, AsyncModeAveragesParametersOnceMoreAtTheEnd) {
  const Example example(rows(32), {"training.mode=async", "training.average_every=100"});
  std::vector<std::vector<float>> parameters;
  for (const std::int32_t num_trainers : {1, 2}) {
    Training run(example, num_trainers);
    LateOwner owner(5, 8);
    EXPECT_EQ(run.train(owner), Step(8));
    parameters.push_back(run.replica.parameters());
  }
  for (float& value : parameters[0]) value /= 2;  // the other trainer adds zeros
  EXPECT_NE(parameters[0][0], 0);
  EXPECT_EQ(parameters[1], parameters[0]);
}

TEST(Pipeline, EvaluationGivesLogitsInOrderOpensNoTokenAndMakesNoRow) {
  const Example example(rows(62));
  Training run(example);
  const auto tables = example.tables();
  const auto source = embed::make_local_source(tables);
  std::vector<std::int64_t> row_numbers;
  Pipeline pipeline = run.pipeline(*source, 60, table::Purpose::evaluate);
  pipeline.run_evaluation(*run.pass, Step(0), [&](const Flight& flight) {
    for (const std::int64_t row : flight.input.batch.row_numbers) row_numbers.push_back(row);
    EXPECT_EQ(flight.logits, std::vector<float>(flight.input.batch.labels.size(), 0.0F));
  });
  EXPECT_EQ(row_numbers, numbers(0, 62));
  EXPECT_EQ(source->open_tokens(), 0);
  EXPECT_EQ(tables[0]->statistics().rows, 0);
}

TEST(Pipeline, DataThatFailStopAnEvaluation) {
  const Example example(rows(12) + "1,abc,2\n");
  Training run(example);
  LateOwner owner(5, 3);
  int batches = 0;
  Pipeline pipeline = run.pipeline(owner, 60, table::Purpose::evaluate);
  EXPECT_THROW(pipeline.run_evaluation(*run.pass, Step(0), [&](const Flight&) { ++batches; }),
               StoppedTraining);
  EXPECT_EQ(batches, 3);
}

TEST(Pipeline, AnOwnerThatDoesNotApplyTheLastGradientsIsNamedWhenTheTimeIsUp) {
  const Example example;
  Training run(example);
  LateOwner owner(5, 1000);  // confirms only what hinders the next look-up
  Pipeline pipeline = run.pipeline(owner, 0.3);
  EXPECT_THAT(
      message_of([&] { (void)pipeline.run_training(*run.pass, Step(0), Step(8), [](const Flight&) {}); }),
      ::testing::HasSubstr("step 8 waits for owners to apply the last gradients; the state of the owner"));
}

}  // namespace
}  // namespace persia::train
