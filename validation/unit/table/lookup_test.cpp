#include <gtest/gtest.h>

#include "base/error.hpp"
#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

std::unique_ptr<Table> plain_table(std::int32_t dim = 4) {
  return make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, dim), {.seed = 1});
}

TEST(Lookup, AnyIdIsValid) {
  const auto table = plain_table();
  const auto ids = ids_of({0, ~std::uint64_t{0}, 1, std::uint64_t{1} << 63, 42});
  const Answer first = lookup(*table, ids);
  EXPECT_EQ(table->statistics().rows, 5);
  for (const Row& row : first.rows) EXPECT_FALSE(row.absent());
  const Answer again = lookup(*table, ids);
  EXPECT_EQ(again.values, first.values);
  EXPECT_EQ(again.rows, first.rows);
}

// Field case: unseen ids get the default row, change nothing and are counted.
TEST(Lookup, EvaluationCreatesNothingAnswersZerosAndCounts) {
  const auto table = plain_table(2);
  (void)lookup(*table, ids_of({1, 2, 3, 5, 6}));
  const Answer answer = lookup(*table, ids_of({1, 2, 4, 7, 8}), Purpose::evaluate);
  EXPECT_EQ(table->statistics().rows, 5);
  EXPECT_EQ(table->statistics().unseen, 3);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(answer.rows[i].absent(), i >= 2);
    EXPECT_EQ(answer.values[2 * i] == 0 && answer.values[2 * i + 1] == 0, i >= 2);
  }
}

TEST(Lookup, HandlesBatchesOfEverySize) {
  const auto table = plain_table(3);
  const Answer all = lookup(*table, ids_between(0, 200));
  for (std::size_t size = 0; size < 130; ++size) {
    const Answer part = lookup(*table, ids_between(0, size));
    ASSERT_TRUE(std::equal(part.values.begin(), part.values.end(), all.values.begin()));
    ASSERT_TRUE(std::equal(part.rows.begin(), part.rows.end(), all.rows.begin()));
  }
}

TEST(Lookup, ARepeatedNewIdGetsOneRow) {
  const auto table = plain_table();
  const Answer answer = lookup(*table, std::vector<FeatureId>(100, FeatureId(7)));
  EXPECT_EQ(table->statistics().rows, 1);
  for (const Row& row : answer.rows) EXPECT_EQ(row, answer.rows[0]);
}

TEST(Lookup, RowsSurviveGrowth) {
  const auto table = plain_table(1);
  const Answer first = lookup(*table, ids_between(0, 1000));
  (void)lookup(*table, ids_between(1000, 300000));
  const Answer again = lookup(*table, ids_between(0, 1000));
  EXPECT_EQ(again.rows, first.rows);
  EXPECT_EQ(again.values, first.values);
}

TEST(Lookup, EveryDimFromOneTo4096Works) {
  for (const std::int32_t dim : {1, 2, 3, 15, 17, 63, 255, 1000, 4095, 4096})
    for (const auto precision : testing::every<config::Precision>()) {
      const auto table = make_table(schema_with(config::OptimizerType::adam, precision, dim), {.seed = 1});
      const Answer answer = lookup(*table, ids_between(0, 50));
      table->update(answer.rows, gradients_of(answer.values.size(), 1), Step(0));
      const Answer after = lookup(*table, ids_between(0, 50));
      for (std::size_t i = 0; i < after.values.size(); ++i)
        ASSERT_NE(after.values[i], answer.values[i]) << dim;
    }
}

TEST(Lookup, RefusesShapesThatDoNotFit) {
  const auto table = plain_table();
  const auto ids = ids_of({1, 2});
  std::vector<float> values(7);
  std::vector<Row> rows(2);
  EXPECT_THROW(table->lookup(ids, Purpose::train, values, rows, {}), Error);
}

}  // namespace
}  // namespace persia::table
