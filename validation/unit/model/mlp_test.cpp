#include "model/mlp.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::expect_gradient;
using testing::random_values;
using testing::view;

class MlpGradient : public ::testing::TestWithParam<Activation> {};

TEST_P(MlpGradient, EqualsCentralDifferences) {
  constexpr std::int64_t n = 6;
  ParameterPlan plan;
  Mlp<double> mlp("mlp", 5, {7, 4, 3}, GetParam(), plan);
  Parameters<double> parameters(plan.size());
  std::ranges::copy(random_values<double>(plan.size(), 11), parameters.values.data());
  auto x = random_values<double>(n * 5, 12);
  const auto weights = random_values<double>(n * 3, 13);
  std::vector<double> y(weights.size()), d_x(x.size());
  const auto loss = [&] {
    mlp.forward(parameters, view(x, n, 5), view(y, n, 3));
    return testing::weighted_sum(y, weights);
  };
  static_cast<void>(loss());
  auto d_y = weights;
  mlp.backward(parameters, view(x, n, 5), view(y, n, 3), view(d_y, n, 3), view(d_x, n, 5));
  expect_gradient(loss, x, d_x);
  expect_gradient(loss, {parameters.values.data(), parameters.values.size()},
                  {parameters.gradients.data(), parameters.gradients.size()});
}

INSTANTIATE_TEST_SUITE_P(LastActivation, MlpGradient, ::testing::Values(Activation::none, Activation::relu));

TEST(Mlp, NamesItsBlocksInOrder) {
  ParameterPlan plan;
  const Mlp<double> mlp("bottom", 3, {2, 1}, Activation::none, plan);
  ASSERT_EQ(plan.blocks().size(), 4U);
  EXPECT_EQ(plan.blocks()[2].name, "bottom.1.weight");
  EXPECT_EQ(plan.blocks()[2].shape, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(plan.blocks()[2].offset, 3 * 2 + 2);
}

}  // namespace
}  // namespace persia::model
