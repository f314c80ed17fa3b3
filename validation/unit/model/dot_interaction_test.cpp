#include "model/dot_interaction.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

using testing::expect_gradient;
using testing::random_values;
using testing::view;

TEST(DotInteraction, LowerTriangleByRowsAfterTheFirstVector) {
  DotInteraction<float> layer(true, 2, 2);
  std::vector<float> first = {1, 2};
  std::vector<float> others = {3, 4, 5, 6};
  std::vector<float> out(5);
  layer.forward(view(first, 1, 2), view(others, 1, 4), view(out, 1, 5));
  EXPECT_EQ(out, (std::vector<float>{1, 2, 11, 17, 39}));
}

TEST(DotInteraction, WorksWithoutAFirstVector) {
  DotInteraction<float> layer(false, 3, 1);
  std::vector<float> others = {2, 3, 5};
  std::vector<float> out(3);
  layer.forward(dense_matrix<float>(nullptr, 1, 0), view(others, 1, 3), view(out, 1, 3));
  EXPECT_EQ(out, (std::vector<float>{6, 10, 15}));
}

struct Shape {
  bool has_first;
  std::int32_t num_others;
  std::int32_t dim;
};
class DotInteractionGradient : public ::testing::TestWithParam<Shape> {};

TEST_P(DotInteractionGradient, EqualsCentralDifferences) {
  constexpr std::int64_t n = 3;
  const auto [has_first, num_others, dim] = GetParam();
  DotInteraction<double> layer(has_first, num_others, dim);
  const std::int64_t first_width = has_first ? dim : 0;
  const std::int64_t others_width = std::int64_t{num_others} * dim;
  const std::int64_t width = layer.out_width();
  auto first = random_values<double>(n * first_width, 21);
  auto others = random_values<double>(n * others_width, 22);
  auto weights = random_values<double>(n * width, 23);
  std::vector<double> out(weights.size()), d_first(first.size()), d_others(others.size());
  const auto loss = [&] {
    layer.forward(view(first, n, first_width), view(others, n, others_width), view(out, n, width));
    return testing::weighted_sum(out, weights);
  };
  layer.backward(view(first, n, first_width), view(others, n, others_width), view(weights, n, width),
                 view(d_first, n, first_width), view(d_others, n, others_width));
  expect_gradient(loss, first, d_first);
  expect_gradient(loss, others, d_others);
}

// Around the width of a vector register: 16, 17 and 19 vectors or places.
INSTANTIATE_TEST_SUITE_P(Shapes, DotInteractionGradient,
                         ::testing::Values(Shape{true, 1, 1}, Shape{true, 3, 5}, Shape{false, 2, 4},
                                           Shape{false, 4, 19}, Shape{true, 16, 16}, Shape{false, 17, 2}));

}  // namespace
}  // namespace persia::model
