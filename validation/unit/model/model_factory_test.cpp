#include "model/model_factory.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "helpers.hpp"

namespace persia::model {
namespace {

using ::testing::HasSubstr;
using testing::make_test_schema;
using testing::model_of;
using enum config::ModelType;

std::string refusal(const config::Model& model, const config::Schema& schema) {
  try {
    static_cast<void>(make_model<float>(model, schema));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelFactory, RefusesAnInputOfNoColumns) {
  EXPECT_THAT(refusal(model_of(dnn, {2}, {}, {}), make_test_schema(0, {})), HasSubstr("neither dense nor"));
}

TEST(ModelFactory, NamesTheKeyOfAWidthBelowOne) {
  const auto schema = make_test_schema(1, {4});
  EXPECT_THAT(refusal(model_of(dnn, {8, 0}, {}, {}), schema), HasSubstr("model.hidden"));
  EXPECT_THAT(refusal(model_of(dlrm, {}, {-1}, {8}), schema), HasSubstr("model.bottom"));
  EXPECT_THAT(refusal(model_of(dlrm, {}, {8}, {0}), schema), HasSubstr("model.top"));
}

TEST(ModelFactory, DlrmNamesColumnsOfDifferentDims) {
  const std::string message = refusal(model_of(dlrm, {}, {8}, {8}), make_test_schema(1, {4, 4, 8}));
  EXPECT_THAT(message, HasSubstr("'c0' has 4"));
  EXPECT_THAT(message, HasSubstr("'c2' has 8"));
}

TEST(ModelFactory, DlrmNeedsACategoricalColumnAndAPair) {
  EXPECT_THAT(refusal(model_of(dlrm, {}, {8}, {8}), make_test_schema(3, {})), HasSubstr("no categorical"));
  EXPECT_THAT(refusal(model_of(dlrm, {}, {8}, {8}), make_test_schema(0, {4})), HasSubstr("no pair"));
}

}  // namespace
}  // namespace persia::model
