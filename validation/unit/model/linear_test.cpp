#include "model/linear.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::expect_gradient;
using testing::random_values;
using testing::view;

class LinearGradient : public ::testing::TestWithParam<LinearShape> {};

TEST_P(LinearGradient, EqualsCentralDifferences) {
  constexpr std::int64_t n = 5;
  const auto [in, out, activation] = GetParam();
  ParameterPlan plan;
  Linear<double> layer("layer", GetParam(), FirstValues::uniform, plan);
  Parameters<double> parameters(plan.size());
  const auto first = random_values<double>(plan.size(), 1);
  std::ranges::copy(first, parameters.values.data());
  auto x = random_values<double>(n * in, 2);
  auto weights = random_values<double>(n * out, 3);
  std::vector<double> y(weights.size()), d_x(x.size());
  const auto loss = [&] {
    layer.forward(parameters, view(x, n, in), view(y, n, out));
    return testing::weighted_sum(y, weights);
  };
  static_cast<void>(loss());
  auto d_y = weights;
  Buffer<double> scratch("test");
  layer.backward(parameters, view(x, n, in), view(y, n, out), view(d_y, n, out), view(d_x, n, in), scratch);
  expect_gradient(loss, x, d_x);
  expect_gradient(loss, {parameters.values.data(), parameters.values.size()},
                  {parameters.gradients.data(), parameters.gradients.size()});
}

INSTANTIATE_TEST_SUITE_P(Shapes, LinearGradient,
                         ::testing::Values(LinearShape{4, 3, Activation::none},
                                           LinearShape{4, 3, Activation::relu},
                                           LinearShape{1, 1, Activation::relu},
                                           LinearShape{0, 2, Activation::none}));

TEST(Linear, GradientOfTheFirstColumnsAlone) {
  constexpr std::int64_t n = 3;
  ParameterPlan plan;
  const Linear<double> layer("layer", {4, 2, Activation::none}, FirstValues::uniform, plan);
  Parameters<double> parameters(plan.size());
  std::ranges::copy(random_values<double>(plan.size(), 1), parameters.values.data());
  auto x = random_values<double>(n * 4, 2);
  auto d_y = random_values<double>(n * 2, 3);
  std::vector<double> y(n * 2), all(n * 4), some(n * 3);
  Buffer<double> scratch("test");
  layer.backward(parameters, view(x, n, 4), view(y, n, 2), view(d_y, n, 2), view(all, n, 4), scratch);
  layer.backward(parameters, view(x, n, 4), view(y, n, 2), view(d_y, n, 2), view(some, n, 3), scratch);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(some[i * 3 + j], all[i * 4 + j]);
}

TEST(Linear, NoSamplesGiveZeroGradients) {
  ParameterPlan plan;
  const Linear<double> layer("layer", {4, 2, Activation::relu}, FirstValues::uniform, plan);
  Parameters<double> parameters(plan.size());
  Kokkos::deep_copy(parameters.gradients, 9.0);
  const MatrixView<double> x = dense_matrix<double>(nullptr, 0, 4);
  const MatrixView<double> y = dense_matrix<double>(nullptr, 0, 2);
  Buffer<double> scratch("test");
  layer.forward(parameters, x, y);
  layer.backward(parameters, x, y, y, x, scratch);
  for (std::size_t i = 0; i < parameters.gradients.size(); ++i) EXPECT_EQ(parameters.gradients(i), 0.0);
}

}  // namespace
}  // namespace persia::model
