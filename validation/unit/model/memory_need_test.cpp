#include "model/memory_need.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "base/error.hpp"
#include "helpers.hpp"
#include "model/network.hpp"

namespace persia::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

LayerSummary linear(const std::string& name, std::int64_t in, std::int64_t out) {
  LayerSummary layer;
  layer.name = name;
  layer.in = in;
  layer.out = out;
  layer.parameters = (in + 1) * out;
  return layer;
}

TEST(MemoryNeed, NamesTheLargestLayerItsBytesAndItsKey) {
  const std::vector<LayerSummary> layers{linear("mlp.0", 10, 1000), linear("mlp.1", 1000, 2000)};
  EXPECT_EQ(refusal([&] { require_memory(layers, 16104000); }), "accepted");
  EXPECT_EQ(refusal([&] { require_memory(layers, 0); }), "accepted");
  EXPECT_THAT(
      refusal([&] { require_memory(layers, 16103999); }),
      AllOf(HasSubstr("take 15.4 MiB"), HasSubstr("mlp.1 with 1000 inputs and 2000 outputs, 15.3 MiB"),
            HasSubstr("make model.hidden narrower")));
}

TEST(MemoryNeed, IsAskedBeforeANetworkIsMade) {
  const config::Schema schema = testing::make_test_schema(4, {8, 8});
  const auto make = [&](const config::Model& model) {
    return refusal([&] { (void)make_network(model, schema, 1); });
  };
  EXPECT_THAT(make(testing::model_of(config::ModelType::dnn, {1048576, 1048576, 1048576}, {}, {})),
              HasSubstr("make model.hidden narrower"));
  EXPECT_THAT(make(testing::model_of(config::ModelType::dlrm, {}, {1048576, 1048576, 1048576}, {8})),
              HasSubstr("make model.bottom narrower"));
  EXPECT_THAT(make(testing::model_of(config::ModelType::dlrm, {}, {8}, {1048576, 1048576, 1048576})),
              HasSubstr("make model.top narrower"));
}

}  // namespace
}  // namespace persia::model
