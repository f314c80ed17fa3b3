#include <gmock/gmock.h>

#include "helpers.hpp"
#include "model/network.hpp"

namespace persia::model {
namespace {

using ::testing::HasSubstr;
using testing::make_test_schema;
using testing::model_of;

TEST(Describe, ShowsLayersParametersAndWorkOfDlrm) {
  const auto text = describe_network(model_of(config::ModelType::dlrm, {}, {512, 256, 64}, {512, 256}),
                                     make_test_schema(13, std::vector<std::int32_t>(26, 16)));
  EXPECT_THAT(text, HasSubstr("model dlrm: 26 categorical columns, 416 embedding values, 13 dense columns"));
  EXPECT_THAT(text, HasSubstr("bottom.3     linear + relu"));
  EXPECT_THAT(text, HasSubstr("dot products of 27 vectors"));
  EXPECT_THAT(text, HasSubstr("top.0        linear + relu                       367      512"));
  EXPECT_THAT(text, HasSubstr("475985 parameters"));
  EXPECT_THAT(text, HasSubstr("474368 in linear layers, 5616 in dot products"));
}

TEST(Describe, WorksWithAnEmptyFeatureGroup) {
  EXPECT_THAT(describe_network(model_of(config::ModelType::lr, {}, {}, {}), make_test_schema(3, {})),
              HasSubstr("4 parameters; multiply-adds per sample: 3 in linear layers\n"));
}

}  // namespace
}  // namespace persia::model
