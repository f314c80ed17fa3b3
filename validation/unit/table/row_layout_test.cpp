#include "table/row_layout.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
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
}

TEST(RowLayout, RefusesDimsOutOfRange) {
  EXPECT_THROW((void)layout_of(config::OptimizerType::sgd, config::Precision::fp32, 0), UserError);
  EXPECT_THROW((void)layout_of(config::OptimizerType::sgd, config::Precision::fp32, 4097), UserError);
}

}  // namespace
}  // namespace persia::table
