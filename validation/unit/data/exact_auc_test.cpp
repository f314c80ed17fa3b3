#include "data/exact_auc.hpp"

#include <cmath>

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(ExactAuc, CountsTiesHalf) {
  std::vector<float> positives{.9F, .6F, .2F}, negatives{.6F, .6F, .2F};
  EXPECT_NEAR(exact_auc(positives, negatives), 11.0 / 18.0, 1e-15);
  std::vector<float> none;
  EXPECT_TRUE(std::isnan(exact_auc(positives, none)));
}

}  // namespace
}  // namespace persia::data
