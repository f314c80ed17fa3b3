#include "model/bias.hpp"

#include <numeric>

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::random_values;
using testing::view;

TEST(Bias, IsAddedBeforeTheRelu) {
  std::vector<double> y = {1, -2, 3, 4};
  const std::vector<double> bias = {-2, 1};
  add_bias(Activation::relu, bias.data(), view(y, 2, 2));
  EXPECT_EQ(y, (std::vector<double>{0, 0, 1, 5}));
}

TEST(Bias, ReluKeepsNotANumberVisible) {
  std::vector<float> y = {std::nanf("")};
  const float bias = 0;
  add_bias(Activation::relu, &bias, view(y, 1, 1));
  EXPECT_TRUE(std::isnan(y[0]));
}

TEST(Bias, MaskClosesWhereTheReluDid) {
  std::vector<double> y = {1, 0, 0, 2};
  std::vector<double> d_y = {10, 20, 30, 40};
  std::vector<double> sums(2);
  Buffer<double> scratch("test");
  mask_and_sum<double>(Activation::relu, view(y, 2, 2), view(d_y, 2, 2), scratch, sums.data());
  EXPECT_EQ(d_y, (std::vector<double>{10, 0, 0, 40}));
  EXPECT_EQ(sums, (std::vector<double>{10, 40}));
}

TEST(Bias, SumsManyRowsAndNone) {
  constexpr std::int64_t rows = 1000;
  std::vector<double> d_y(rows * 3);
  std::iota(d_y.begin(), d_y.end(), 0.0);
  std::vector<double> sums(3);
  Buffer<double> scratch("test");
  const MatrixView<double> matrix = view(d_y, rows, 3);
  mask_and_sum<double>(Activation::none, matrix, matrix, scratch, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{1498500, 1499500, 1500500}));
  const MatrixView<double> none = dense_matrix(d_y.data(), 0, 3);
  mask_and_sum<double>(Activation::none, none, none, scratch, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{0, 0, 0}));
}

TEST(Bias, FillTouchesOnlyItsColumns) {
  std::vector<float> values(6, 1.0F);
  fill(MatrixView<float>{values.data(), 2, 2, 3}, 0.0F);
  EXPECT_EQ(values, (std::vector<float>{0, 0, 1, 0, 0, 1}));
}

}  // namespace
}  // namespace persia::model
