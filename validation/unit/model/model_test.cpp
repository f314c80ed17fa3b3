// Promises that every model keeps; a new model is one more line in `cases`.
#include "model/model.hpp"

#include "every.hpp"
#include "helpers.hpp"
#include "model/model_factory.hpp"
#include "model/network.hpp"

namespace persia::model {
namespace {

using testing::expect_gradient;
using testing::make_test_schema;
using testing::model_of;
using testing::random_values;
using testing::view;

struct Case {
  std::string name;
  config::Model model;
  std::int32_t num_dense;
  std::vector<std::int32_t> dims;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class EveryModel : public ::testing::TestWithParam<Case> {
 protected:
  config::Schema schema = make_test_schema(GetParam().num_dense, GetParam().dims);
  std::int64_t width = schema.embedded_width;
};

TEST_P(EveryModel, GradientsEqualCentralDifferences) {
  constexpr std::int64_t n = 7;
  const auto model = make_model<double>(GetParam().model, schema);
  Parameters<double> parameters(model->plan().size());
  std::ranges::copy(random_values<double>(model->plan().size(), 31), parameters.values.data());
  auto dense = random_values<double>(n * schema.num_dense(), 32);
  auto embedded = random_values<double>(n * width, 33);
  const auto weights = random_values<double>(n, 34);
  std::vector<double> logits(n), d_embedded(embedded.size());
  const ModelInput<double> input{view(dense, n, schema.num_dense()), view(embedded, n, width)};
  const auto loss = [&] {
    model->forward(parameters, input, view(logits, n, 1));
    return testing::weighted_sum(logits, weights);
  };
  static_cast<void>(loss());
  auto d_logits = weights;
  model->backward(parameters, input, view(d_logits, n, 1), view(d_embedded, n, width));
  expect_gradient(loss, {parameters.values.data(), parameters.values.size()},
                  {parameters.gradients.data(), parameters.gradients.size()});
  expect_gradient(loss, embedded, d_embedded);
}

TEST_P(EveryModel, FloatFollowsDouble) {
  constexpr std::int32_t n = 70;
  const auto model = make_model<double>(GetParam().model, schema);
  Parameters<double> parameters(model->plan().size());
  const auto network = make_network(GetParam().model, schema, 5);
  std::ranges::copy(network->parameters(), parameters.values.data());
  const auto dense = random_values<float>(std::int64_t{n} * schema.num_dense(), 32);
  const auto embedded = random_values<float>(n * width, 33);
  const auto d_logits = random_values<float>(n, 34);
  std::vector<float> logits(n), d_embedded(embedded.size());
  const Input input{n, dense, embedded};
  network->forward(input, logits);
  network->backward(input, d_logits, d_embedded);

  std::vector<double> dense2(dense.begin(), dense.end()), embedded2(embedded.begin(), embedded.end());
  std::vector<double> d_logits2(d_logits.begin(), d_logits.end());
  std::vector<double> logits2(n), d_embedded2(embedded.size());
  const ModelInput<double> input2{view(dense2, n, schema.num_dense()), view(embedded2, n, width)};
  model->forward(parameters, input2, view(logits2, n, 1));
  model->backward(parameters, input2, view(d_logits2, n, 1), view(d_embedded2, n, width));
  for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_NEAR(logits[i], logits2[i], 2e-5);
  for (std::size_t i = 0; i < d_embedded.size(); ++i) ASSERT_NEAR(d_embedded[i], d_embedded2[i], 2e-5);
  for (std::size_t i = 0; i < parameters.gradients.size(); ++i)
    ASSERT_NEAR(network->gradients()[i], parameters.gradients(i), 1e-4);
}

TEST_P(EveryModel, EveryParameterLiesInOneNamedBlock) {
  const auto network = make_network(GetParam().model, schema, 5);
  std::int64_t next = 0;
  for (const ParameterBlock& block : network->blocks()) {
    EXPECT_EQ(block.offset, next) << block.name;
    next += block.size;
  }
  EXPECT_EQ(static_cast<std::size_t>(next), network->parameters().size());
  EXPECT_EQ(network->gradients().size(), network->parameters().size());
}

using enum config::ModelType;

const std::vector<Case> cases{{"lr", model_of(lr, {}, {}, {}), 3, {1, 1, 4}},
                              {"lr_no_dense", model_of(lr, {}, {}, {}), 0, {2, 3, 1}},
                              {"lr_no_categories", model_of(lr, {}, {}, {}), 3, {}},
                              {"dnn", model_of(dnn, {9, 6}, {}, {}), 3, {4, 2, 3}},
                              {"dnn_no_dense", model_of(dnn, {9, 6}, {}, {}), 0, {4, 2, 3}},
                              {"dnn_no_categories", model_of(dnn, {9, 6}, {}, {}), 3, {}},
                              {"dlrm", model_of(dlrm, {}, {8, 5}, {9, 6}), 3, {4, 4, 4, 4}},
                              {"dlrm_no_dense", model_of(dlrm, {}, {8, 5}, {9, 6}), 0, {4, 4, 4}},
                              {"dlrm_one_category", model_of(dlrm, {}, {8}, {9}), 2, {4}},
                              {"dlrm_no_hidden", model_of(dlrm, {}, {}, {}), 2, {4, 4}}};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

TEST(EveryModelType, HasACase) {
  for (const auto type : persia::testing::every<config::ModelType>())
    EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& c) { return c.model.type == type; }))
        << "model.type " << config::name_of(type) << " is in none of the cases above";
}

}  // namespace
}  // namespace persia::model
