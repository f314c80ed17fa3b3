#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "every.hpp"
#include "reference_optimizer.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

// One row in double precision.
struct ReferenceRow {
  reference::Values values;
  reference::RowOptimizer optimizer;
};

// The largest difference of a row from its reference after `steps` updates.
double largest_error(const config::TableSchema& schema, int steps) {
  const auto dim = static_cast<std::size_t>(schema.table.dim);
  const auto table = make_table(schema, {.seed = 3});
  const auto ids = ids_between(0, 40);
  Answer answer = lookup(*table, ids);
  std::vector<ReferenceRow> references;
  for (std::size_t r = 0; r < ids.size(); ++r) {
    const auto own = answer.values.begin() + static_cast<long>(r * dim);
    references.push_back(
        {reference::Values(own, own + static_cast<long>(dim)), reference::RowOptimizer(schema.table, dim)});
  }
  for (int step = 0; step < steps; ++step) {
    const auto gradients = gradients_of(ids.size() * dim, static_cast<std::uint64_t>(step));
    table->update(answer.rows, gradients, Step(step));
    for (std::size_t r = 0; r < ids.size(); ++r)
      references[r].optimizer.apply(references[r].values,
                                    reference::Values(&gradients[r * dim], &gradients[r * dim] + dim), step);
  }
  answer = lookup(*table, ids);
  double largest = 0;
  for (std::size_t r = 0; r < ids.size(); ++r)
    for (std::size_t i = 0; i < dim; ++i)
      largest = std::max(largest, std::abs(answer.values[r * dim + i] - references[r].values[i]));
  return largest;
}

TEST(Optimizers, EqualADoubleReferenceInSinglePrecision) {
  for (const auto type : testing::every<config::OptimizerType>())
    for (const std::int32_t dim : {1, 5, 16, 100}) {
      auto schema = schema_with(type, config::Precision::fp32, dim);
      for (const config::Table& variant : testing::variants(schema.table)) {
        schema.table = variant;
        // Values stay below 4, so each of 50 roundings is at most 2.4e-7 off; they rarely all go one way.
        EXPECT_LT(largest_error(schema, 50), 5e-6) << config::name_of(type) << " dim " << dim;
      }
    }
}

TEST(Optimizers, EqualADoubleReferenceWithEverySchedule) {
  for (const auto type : testing::every<config::OptimizerType>())
    for (const config::Schedule& schedule : testing::schedules(7)) {
      auto schema = schema_with(type, config::Precision::fp32, 5);
      schema.table.optimizer.schedule = schedule;
      for (const config::Table& variant : testing::variants(schema.table)) {
        schema.table = variant;
        EXPECT_LT(largest_error(schema, 50), 5e-6)
            << config::name_of(type) << " " << config::name_of(schedule.type);
      }
    }
}

// The step decides, not how many updates there were.
TEST(Optimizers, GoOnWithTheRateOfTheStepAfterASave) {
  auto schema = schema_with(config::OptimizerType::adam, config::Precision::fp16, 4);
  for (const config::Schedule& schedule : testing::schedules(7)) {
    schema.table.optimizer.schedule = schedule;
    const auto ids = ids_between(0, 40);
    const auto train = [&](Table& table, int begin, int end) {
      for (int step = begin; step < end; ++step)
        table.update(lookup(table, ids).rows, gradients_of(160, static_cast<std::uint64_t>(step)),
                     Step(step));
    };
    const auto whole = make_table(schema, {.seed = 3});
    train(*whole, 0, 30);
    const auto first = make_table(schema, {.seed = 3});
    train(*first, 0, 11);
    const auto second = make_table(schema, {.seed = 3});
    first->for_each_block(7, [&](const Table::Block& block) { second->insert_block(block); });
    train(*second, 11, 30);
    EXPECT_EQ(lookup(*second, ids).values, lookup(*whole, ids).values) << config::name_of(schedule.type);
  }
}

TEST(Optimizers, FollowADoubleReferenceWithinTheStepsOfTheirPrecision) {
  for (const auto type : testing::every<config::OptimizerType>()) {
    // Values stay below 4: 50 roundings of one place (2^-9 and 2^-6) that add up like a random walk.
    EXPECT_LT(largest_error(schema_with(type, config::Precision::fp16, 16), 50), 0.03);
    EXPECT_LT(largest_error(schema_with(type, config::Precision::bf16, 16), 50), 0.25);
    // One place is at most 2^-5 for a row whose largest value is below 4.
    EXPECT_LT(largest_error(schema_with(type, config::Precision::int8, 16), 50), 0.5);
    auto narrow = schema_with(type, config::Precision::fp32, 16);
    narrow.table.state_precision = config::StatePrecision::bf16;
    EXPECT_LT(largest_error(narrow, 50), 0.05) << config::name_of(type);
  }
}

// A key that the run file takes changes the result, one that it refuses does not: none is read and dropped.
TEST(Optimizers, HonourEveryArgument) {
  const auto result = [](const config::Table& options) {
    config::TableSchema schema{.name = "items", .table = options, .salt = 1};
    const auto table = make_table(schema, {.seed = 3});
    const Answer answer = lookup(*table, ids_of({9}));
    for (int step = 0; step < 3; ++step)
      table->update(answer.rows, gradients_of(4, static_cast<std::uint64_t>(step)), Step(step));
    return lookup(*table, ids_of({9})).values;
  };
  for (const auto type : testing::every<config::OptimizerType>())
    for (const config::Schedule& schedule : testing::schedules(1)) {
      const config::Table base{
          .dim = 4, .optimizer = {.type = type, .schedule = schedule}, .init = {.scale = 0.1}};
      testing::for_each_changed_number(
          base, [&](const std::string& key, const config::Table& changed, bool used) {
            EXPECT_EQ(result(changed) != result(base), used)
                << config::name_of(type) << " " << config::name_of(schedule.type) << " " << key;
          });
    }
}

// Field case: two libraries with epsilon 1e-8 and 1e-10 in one model, unnoticed. The dense optimizer has the
// same test.
TEST(Optimizers, AdagradTakesItsEpsilonOutsideTheRoot) {
  for (const auto type : {config::OptimizerType::adagrad, config::OptimizerType::rowwise_adagrad})
    for (const auto& [epsilon, step] : {std::pair{1e-8, 0.0909091}, std::pair{1e-10, 0.9090909}}) {
      auto schema = schema_with(type, config::Precision::fp32, 1);
      schema.table.optimizer = {.type = type, .learning_rate = 1, .epsilon = epsilon};
      const auto table = make_table(schema, {.seed = 3});
      const FeatureId id(1);
      const float one = 1, zero = 0, gradient = 1e-9F;
      table->insert_block({std::span(&id, 1), std::as_bytes(std::span(&one, 1)), std::span(&zero, 1)});
      table->update(lookup(*table, {id}).rows, std::span(&gradient, 1), Step(0));
      EXPECT_NEAR(1 - lookup(*table, {id}).values[0], step, 2e-7);
    }
}

TEST(Optimizers, FtrlStartsAtTheFirstValueAndL1MakesValuesZero) {
  auto schema = schema_with(config::OptimizerType::ftrl, config::Precision::fp32, 8);
  schema.table.optimizer.l2 = 0.5;
  for (const double l1 : {0.0, 3.0}) {
    schema.table.optimizer.l1 = l1;
    const auto table = make_table(schema, {.seed = 3});
    const Answer first = lookup(*table, ids_of({1}));
    table->update(first.rows, std::vector<float>(8, 1e-6F), Step(0));
    const auto second = lookup(*table, ids_of({1})).values;
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(second[i], first.values[i], 1e-7);
    for (std::uint64_t step = 0; step < 100; ++step)
      table->update(first.rows, gradients_of(8, step), Step(0));
    const auto last = lookup(*table, ids_of({1})).values;
    EXPECT_EQ(std::ranges::count(last, 0.0F) > 0, l1 > 0);
  }
}

TEST(Optimizers, LambStepsByTheNormOfTheRow) {
  auto schema = schema_with(config::OptimizerType::lamb, config::Precision::fp32, 16);
  schema.table.init.scale = 3;
  const auto norm = [](const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) sum += double{value} * value;
    return std::sqrt(sum);
  };
  const auto table = make_table(schema, {.seed = 3});
  const Answer before = lookup(*table, ids_of({1}));
  table->update(before.rows, gradients_of(16, 1), Step(0));
  auto moved = lookup(*table, ids_of({1})).values;
  for (std::size_t i = 0; i < 16; ++i) moved[i] -= before.values[i];
  EXPECT_NEAR(norm(moved), 0.05 * norm(before.values), 1e-5);
}

TEST(Optimizers, WithoutEpsilonAZeroGradientMovesNothing) {
  for (const auto type : testing::every<config::OptimizerType>()) {
    auto schema = schema_with(type, config::Precision::fp32, 3);
    schema.table.optimizer.epsilon = 0;
    const auto table = make_table(schema, {.seed = 3});
    const Answer before = lookup(*table, ids_of({1}));
    table->update(before.rows, std::vector<float>(3, 0.0F), Step(0));
    EXPECT_EQ(lookup(*table, ids_of({1})).values, before.values);
  }
}

}  // namespace
}  // namespace persia::table
