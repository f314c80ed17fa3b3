#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "helpers.hpp"
#include "model/network.hpp"

namespace persia::model {
namespace {

struct Known {
  float logit, label;
  double loss;
  float gradient;
};

TEST(Loss, KnownValuesWithoutClipping) {
  for (const Known& k : {Known{40, 0, 40, 1}, Known{-800, 1, 800, -1}, Known{2, 1, 0.1269280, -0.1192029F},
                         Known{0, 0, 0.6931472, 0.5F}}) {
    float gradient = 0;
    EXPECT_NEAR(binary_cross_entropy({&k.logit, 1}, {&k.label, 1}, {&gradient, 1}), k.loss, 1e-7);
    EXPECT_NEAR(gradient, k.gradient, 1e-7);
  }
}

TEST(Loss, SumsOverSamplesAndTakesNone) {
  const std::array<float, 2> logits = {40, -800};
  const std::array<float, 2> labels = {0, 1};
  std::array<float, 2> gradients{};
  EXPECT_DOUBLE_EQ(binary_cross_entropy(logits, labels, gradients), 840.0);
  EXPECT_EQ(binary_cross_entropy({}, {}, {}), 0.0);
}

TEST(Loss, NotANumberStaysVisible) {
  const float logit = std::numeric_limits<float>::quiet_NaN();
  const float label = 0;
  float gradient = 0;
  EXPECT_TRUE(std::isnan(binary_cross_entropy({&logit, 1}, {&label, 1}, {&gradient, 1})));
  EXPECT_TRUE(std::isnan(gradient));
}

}  // namespace
}  // namespace persia::model
