#include "table/row_layout.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/optimizers.hpp"
#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

RowLayout layout_of(config::OptimizerType type, config::Precision precision, std::int32_t dim) {
  return make_row_layout(schema_with(type, precision, dim).table);
}

TEST(RowLayout, HasNoByteMoreThanIdValuesAndState) {
  using enum config::OptimizerType;
  using enum config::Precision;
  EXPECT_EQ(layout_of(sgd, fp32, 16).row_bytes, 8 + 64);
  EXPECT_EQ(layout_of(rowwise_adagrad, fp32, 16).row_bytes, 8 + 64 + 4);
  EXPECT_EQ(layout_of(rowwise_adagrad, fp16, 16).row_bytes, 8 + 32 + 4 + 4);  // and the update count
  EXPECT_EQ(layout_of(adam, fp32, 16).row_bytes, 8 + 64 + 128 + 4);
  EXPECT_EQ(layout_of(adam, bf16, 3).row_bytes, 8 + 8 + 24 + 4);  // six bytes of values are padded to eight
  EXPECT_EQ(layout_of(adagrad, fp32, 1).row_bytes, 8 + 4 + 4);
  EXPECT_EQ(layout_of(rowwise_adam, fp32, 16).row_bytes, 8 + 64 + 64 + 4 + 4);
  EXPECT_EQ(layout_of(adamw, fp32, 16).row_bytes, 8 + 64 + 128 + 4);
  EXPECT_EQ(layout_of(ftrl, fp32, 16).row_bytes, 8 + 64 + 128);
  EXPECT_EQ(layout_of(lamb, fp32, 16).row_bytes, 8 + 64 + 128 + 4);
  EXPECT_EQ(layout_of(rowwise_adagrad, int8, 16).row_bytes, 8 + 4 + 16 + 4 + 4);  // and scale and count
  EXPECT_EQ(layout_of(sgd, int8, 5).row_bytes, 8 + 4 + 8 + 4);
}

TEST(RowLayout, NarrowStatesTakeHalf) {
  using enum config::OptimizerType;
  const auto bytes_of = [](config::OptimizerType type, config::Precision precision, std::int32_t dim) {
    config::Table table = schema_with(type, precision, dim).table;
    table.state_precision = config::StatePrecision::bf16;
    return make_row_layout(table).row_bytes;
  };
  EXPECT_EQ(bytes_of(adam, config::Precision::fp16, 16), 8 + 32 + 64 + 4);
  EXPECT_EQ(bytes_of(adagrad, config::Precision::fp32, 16), 8 + 64 + 32 + 4);  // and the update count
  EXPECT_EQ(bytes_of(adagrad, config::Precision::fp32, 3), 8 + 12 + 8 + 4);
  EXPECT_EQ(bytes_of(rowwise_adam, config::Precision::fp32, 16), 8 + 64 + 32 + 4 + 4);
  EXPECT_EQ(bytes_of(rowwise_adagrad, config::Precision::fp32, 16), 8 + 64 + 4);  // has none to make narrow
}

TEST(RowLayout, TheRunFileKnowsWhichOptimizersHaveElementStates) {
  for (const auto type : testing::every<config::OptimizerType>())
    EXPECT_EQ(layout_of(type, config::Precision::fp32, 4).element_states > 0,
              config::has_element_states(type))
        << config::name_of(type);
}

TEST(RowLayout, StateNamesFitTheStates) {
  using Names = std::vector<std::string>;
  using enum config::OptimizerType;
  using enum config::Precision;
  EXPECT_EQ(state_names(schema_with(sgd, fp32, 4).table), Names());
  EXPECT_EQ(state_names(schema_with(sgd, fp16, 4).table), Names({"count"}));
  EXPECT_EQ(state_names(schema_with(momentum, fp32, 4).table), Names({"momentum"}));
  EXPECT_EQ(state_names(schema_with(rowwise_adagrad, bf16, 4).table), Names({"accumulator", "count"}));
  EXPECT_EQ(state_names(schema_with(adam, fp32, 4).table), Names({"m", "v", "count"}));
  EXPECT_EQ(state_names(schema_with(rowwise_adam, fp32, 4).table), Names({"m", "v", "count"}));
  EXPECT_EQ(state_names(schema_with(ftrl, fp32, 4).table), Names({"z", "n"}));
  EXPECT_EQ(state_names(schema_with(sgd, int8, 4).table), Names({"count", "scale"}));
  auto evicting = schema_with(adam, int8, 4).table;
  evicting.eviction.policy = config::EvictionPolicy::lfu;
  EXPECT_EQ(state_names(evicting), Names({"m", "v", "count", "scale", "last_use", "uses"}));
}

TEST(RowLayout, RefusesDimsOutOfRange) {
  EXPECT_THROW((void)layout_of(config::OptimizerType::sgd, config::Precision::fp32, 0), UserError);
  EXPECT_THROW((void)layout_of(config::OptimizerType::sgd, config::Precision::fp32, 4097), UserError);
}

}  // namespace
}  // namespace persia::table
