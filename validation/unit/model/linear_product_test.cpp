#include "model/linear_product.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::random_values;
using testing::view;

void expect_fused_equals_steps(Activation activation, std::int64_t n, std::int64_t in, std::int64_t out) {
  auto x = random_values<float>(n * in, 1);
  const auto weight = random_values<float>(out * in, 2);
  const auto bias = random_values<float>(out, 3);
  std::vector<float> fused(static_cast<std::size_t>(n * out), -9.0F);
  std::vector<float> steps(fused);
  linear_product(activation, view(x, n, in), weight.data(), bias.data(), view(fused, n, out));
  linear_product_in_two_steps<float>(activation, view(x, n, in), weight.data(), bias.data(),
                                     view(steps, n, out));
  for (std::size_t i = 0; i < fused.size(); ++i)
    ASSERT_NEAR(fused[i], steps[i], 1e-5) << n << " x " << in << " -> " << out;
}

TEST(LinearProduct, FusedFormEqualsTheTwoSteps) {
  for (const auto activation : {Activation::none, Activation::relu})
    for (const std::int64_t n : {0, 1, 5, 64, 130})
      for (const std::int64_t in : {0, 1, 13, 33})
        for (const std::int64_t out : {1, 7, 8, 40}) expect_fused_equals_steps(activation, n, in, out);
}

// More shapes than the cache of products holds, each twice.
TEST(LinearProduct, ManyBatchSizesStayRight) {
  for (int pass = 0; pass < 2; ++pass)
    for (std::int64_t n = 1; n <= 260; ++n) expect_fused_equals_steps(Activation::relu, n, 3, 8);
}

TEST(LinearProduct, WritesIntoColumnsOfAWiderMatrix) {
  auto x = random_values<float>(2 * 3, 1);
  const auto weight = random_values<float>(8 * 3, 2);
  const auto bias = random_values<float>(8, 3);
  std::vector<float> wide(2 * 10, -9.0F);
  linear_product(Activation::none, view(x, 2, 3), weight.data(), bias.data(), {wide.data(), 2, 8, 10});
  EXPECT_EQ(wide[8], -9.0F);
  EXPECT_EQ(wide[9], -9.0F);
  EXPECT_NE(wide[10], -9.0F);
}

}  // namespace
}  // namespace persia::model
