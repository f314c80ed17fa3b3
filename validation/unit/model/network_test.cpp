#include "model/network.hpp"

#include <gmock/gmock.h>

#include "every.hpp"
#include "helpers.hpp"
#include "model/memory.hpp"

namespace persia::model {
namespace {

using testing::make_test_schema;
using testing::model_of;
using testing::random_values;

const config::Model small_dlrm = model_of(config::ModelType::dlrm, {}, {8, 6}, {16, 8});

std::vector<float> on_host(std::span<const float> values) {
  std::vector<float> copy(values.size());
  copy_to_host(values, copy);
  return copy;
}

struct Step {
  std::vector<float> logits, d_embedded, gradients;
  bool operator==(const Step&) const = default;
};

Step run(Network& network, const config::Schema& schema, std::int32_t n) {
  const auto dense = random_values<float>(std::int64_t{n} * schema.num_dense(), 41);
  const auto embedded = random_values<float>(std::int64_t{n} * schema.embedded_width, 42);
  const auto d_logits = random_values<float>(n, 43);
  Step step{std::vector<float>(static_cast<std::size_t>(n)), std::vector<float>(embedded.size()), {}};
  const Input input{n, dense, embedded};
  network.forward(input, step.logits);
  network.backward(input, d_logits, step.d_embedded);
  step.gradients = on_host(network.gradients());
  return step;
}

TEST(Network, SameInputsGiveTheSameBits) {
  const auto schema = make_test_schema(13, {16, 16, 16});
  const auto first = make_network(small_dlrm, schema, 1);
  const auto second = make_network(small_dlrm, schema, 1);
  const Step once = run(*first, schema, 333);
  EXPECT_EQ(once, run(*second, schema, 333));
  static_cast<void>(run(*first, schema, 20));  // smaller batches in between leave no trace
  EXPECT_EQ(once, run(*first, schema, 333));
}

TEST(Network, NoSamplesGiveZeroGradients) {
  const auto schema = make_test_schema(2, {4, 4});
  for (const auto type : persia::testing::every<config::ModelType>()) {
    const auto network = make_network(model_of(type, {4}, {4}, {4}), schema, 1);
    static_cast<void>(run(*network, schema, 9));
    const Step none = run(*network, schema, 0);
    EXPECT_THAT(none.gradients, ::testing::Each(0.0F));
    EXPECT_THAT(run(*network, schema, 9).logits, ::testing::SizeIs(9));
  }
}

TEST(Network, FirstValuesDependOnSeedAndBlockAlone) {
  const auto narrow = make_network(small_dlrm, make_test_schema(3, {4, 4}), 1);
  const auto wide = make_network(small_dlrm, make_test_schema(3, {4, 4, 4}), 1);
  const auto other_seed = make_network(small_dlrm, make_test_schema(3, {4, 4}), 2);
  const auto a = on_host(narrow->parameters().first(24));  // bottom.0.weight
  EXPECT_EQ(a, on_host(wide->parameters().first(24)));
  EXPECT_NE(a, on_host(other_seed->parameters().first(24)));
}

TEST(Network, FirstValuesFillTheirInterval) {
  const auto network =
      make_network(model_of(config::ModelType::dnn, {200}, {}, {}), make_test_schema(4, {96}), 1);
  const auto values = on_host(network->parameters().first(200 * 100 + 200));  // weight and bias, in = 100
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_NEAR(low, -0.1, 1e-3);
  EXPECT_NEAR(high, 0.1, 1e-3);
  double squares = 0;
  for (const float value : values) squares += double{value} * value;
  EXPECT_NEAR(squares / static_cast<double>(values.size()), 0.01 / 3, 1e-4);
}

TEST(Network, LogisticRegressionStartsAtZero) {
  const auto network = make_network(model_of(config::ModelType::lr, {}, {}, {}), make_test_schema(3, {1}), 1);
  EXPECT_THAT(on_host(network->parameters()), ::testing::Each(0.0F));
}

// Eight rows x = 1, y = 1, one category, everything zero: the mean gradient of weight, bias and row is -0.5.
TEST(Network, LogisticRegressionMovesWeightBiasAndRowAlike) {
  const auto schema = make_test_schema(1, {1});
  const auto network = make_network(model_of(config::ModelType::lr, {}, {}, {}), schema, 1);
  const std::vector<float> ones(8, 1.0F), zeros(8, 0.0F);
  std::vector<float> logits(8), d_logits(8), d_embedded(8);
  const Input input{8, ones, zeros};
  network->forward(input, logits);
  EXPECT_NEAR(binary_cross_entropy(logits, ones, d_logits), 8 * std::log(2.0), 1e-6);
  network->backward(input, d_logits, d_embedded);
  EXPECT_EQ(on_host(network->gradients()), (std::vector<float>{-4, -4}));
  EXPECT_THAT(d_embedded, ::testing::Each(-0.5F));
}

TEST(Network, CountsTheWorkOfTheTwoWorkloads) {
  const auto criteo = make_test_schema(13, std::vector<std::int32_t>(26, 16));
  const auto dlrm =
      make_network(model_of(config::ModelType::dlrm, {}, {512, 256, 64}, {512, 256}), criteo, 1);
  EXPECT_EQ(dlrm->multiply_adds_per_sample(), 474'368);
  const auto ffnn =
      make_network(model_of(config::ModelType::dnn, {4096, 2048, 1024, 512, 256}, {}, {}), criteo, 1);
  EXPECT_EQ(ffnn->multiply_adds_per_sample(), 12'898'560);
}

}  // namespace
}  // namespace persia::model
