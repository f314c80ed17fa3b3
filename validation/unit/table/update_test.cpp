#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

TEST(Update, LeavesRowsWithNonFiniteGradientsAndNamesTheFirst) {
  for (const auto precision : testing::every<config::Precision>())
    for (const auto type : testing::every<config::OptimizerType>()) {
      const auto table = make_table(schema_with(type, precision, 5), {.seed = 1});
      const Answer before = lookup(*table, ids_between(100, 140));
      auto gradients = gradients_of(before.values.size(), 1);
      gradients[5 * 35 + 4] = std::numeric_limits<float>::infinity();
      gradients[5 * 12] = std::nanf("");
      table->update(before.rows, gradients, Step(0));
      const Answer after = lookup(*table, ids_between(100, 140));
      for (std::size_t r = 0; r < 40; ++r)
        for (std::size_t i = 0; i < 5; ++i)
          ASSERT_EQ(after.values[5 * r + i] == before.values[5 * r + i], r == 12 || r == 35);
      EXPECT_EQ(table->statistics().non_finite, 2);
      EXPECT_EQ(table->statistics().first_non_finite, FeatureId(112));
    }
}

// Steps of a hundredth of a place: rounding to nearest would never move, stochastic rounding arrives on
// average.
TEST(Update, SmallStepsAddUpInEveryPrecision) {
  for (const auto& [precision, place] : {std::pair{config::Precision::fp16, 0x1p-10F},
                                         {config::Precision::bf16, 0x1p-7F},
                                         {config::Precision::int8, 0x1p-6F}}) {
    auto schema = schema_with(config::OptimizerType::sgd, precision, 64);
    schema.table.init.type = config::InitType::zero;
    schema.table.optimizer.learning_rate = 1;
    const auto table = make_table(schema, {.seed = 1});
    const Answer answer = lookup(*table, ids_between(0, 100));
    table->update(answer.rows, std::vector<float>(6400, -1.0F), Step(0));
    for (int step = 0; step < 500; ++step)
      table->update(answer.rows, std::vector<float>(6400, -place / 100), Step(0));
    double sum = 0;
    for (const float value : lookup(*table, ids_between(0, 100)).values) sum += value;
    EXPECT_NEAR(sum / 6400, 1 + 5 * place, 0.2 * place);  // five standard deviations of 6400 walks
  }
}

// With decay 1 the accumulator only grows: by a thousandth of its last place at a time, and on average it
// does.
TEST(Update, SmallSquaresAddUpInNarrowStates) {
  auto schema = schema_with(config::OptimizerType::adagrad, config::Precision::fp32, 64);
  schema.table.state_precision = config::StatePrecision::bf16;
  schema.table.optimizer.initial_accumulator = 1;
  const auto table = make_table(schema, {.seed = 1});
  const Answer answer = lookup(*table, ids_between(0, 100));
  const float gradient = std::sqrt(0x1p-7F / 1000);
  for (int step = 0; step < 500; ++step)
    table->update(answer.rows, std::vector<float>(6400, gradient), Step(0));
  double sum = 0;
  table->for_each_block(100, [&](const Table::Block& block) {
    for (std::size_t r = 0; r < block.ids.size(); ++r)
      for (std::size_t i = 0; i < 64; ++i) sum += block.state[65 * r + i];
  });
  EXPECT_NEAR(sum / 6400, 1 + 0.5 * 0x1p-7, 0.05 * 0x1p-7);
}

// Bounds that neither half precision holds exactly.
TEST(Update, NoValueLeavesTheWeightBoundInAnyPrecision) {
  for (const auto precision : testing::every<config::Precision>())
    for (const auto type : testing::every<config::OptimizerType>()) {
      auto schema = schema_with(type, precision, 13);
      schema.table.weight_bound = 0.0301;
      schema.table.init.scale = 0.02;
      const auto table = make_table(schema, {.seed = 1});
      const Answer answer = lookup(*table, ids_between(0, 100));
      float largest = 0;
      for (int step = 0; step < 30; ++step) {
        table->update(answer.rows, gradients_of(1300, 0), Step(0));
        for (const float value : lookup(*table, ids_between(0, 100)).values)
          largest = std::max(largest, std::abs(value));
        ASSERT_LE(largest, 0.0301F) << config::name_of(type);
      }
      EXPECT_GT(largest, 0.0299F) << config::name_of(type);
    }
}

TEST(Update, ClipsANormBeyondTheLargestFloat) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 4);
  schema.table.init.type = config::InitType::zero;
  schema.table.optimizer.learning_rate = 1;
  schema.table.clip_norm = 5;
  const auto table = make_table(schema, {.seed = 1});
  const Answer answer = lookup(*table, ids_of({1}));
  table->update(answer.rows, std::vector<float>{-3e38F, 1, 0, 2.25e38F}, Step(0));
  const auto values = lookup(*table, ids_of({1})).values;
  EXPECT_FLOAT_EQ(values[0], 4);
  EXPECT_NEAR(values[1], 0, 1e-37);
  EXPECT_FLOAT_EQ(values[3], -3);
}

TEST(Update, DoesNotDependOnHowRowsAreBatched) {
  const auto schema = schema_with(config::OptimizerType::adam, config::Precision::fp16, 16);
  const auto together = make_table(schema, {.seed = 1});
  const auto apart = make_table(schema, {.seed = 1});
  const auto ids = ids_between(0, 100);
  const Answer all = lookup(*together, ids);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const auto gradients = gradients_of(1600, step);
    together->update(all.rows, gradients, Step(0));
    for (std::size_t i = 100; i-- > 0;)
      apart->update(lookup(*apart, {ids[i]}).rows, std::span(gradients).subspan(16 * i, 16), Step(0));
  }
  EXPECT_EQ(lookup(*together, ids).values, lookup(*apart, ids).values);
}

TEST(Update, RefusesRowsThatAreNotThere) {
  const auto table =
      make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1), {.seed = 1});
  const std::vector<float> gradient{1};
  EXPECT_NO_THROW(table->update(std::vector<Row>{Row{}}, gradient, Step(0)));  // one that was not admitted
  EXPECT_THROW(table->update(std::vector<Row>{Row{16, RowSlot(0)}}, gradient, Step(0)), Error);
  EXPECT_THROW(table->update(std::vector<Row>{Row{3, RowSlot(0)}}, gradient, Step(0)), Error);
}

}  // namespace
}  // namespace persia::table
