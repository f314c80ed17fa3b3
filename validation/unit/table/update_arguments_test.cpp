#include "table/update_arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace persia::table {
namespace {

TEST(UpdateArguments, BiasCorrectionsFollowTheFormulaInsideAndBeyondTheTable) {
  const BiasCorrections corrections(0.9, 0.999999);
  for (const float count : {1.0F, 2.0F, 10.0F, 1000.0F, 40000.0F, 1e6F}) {
    EXPECT_FLOAT_EQ(corrections.at(count).first, static_cast<float>(1 / (1 - std::pow(0.9, count))));
    EXPECT_FLOAT_EQ(corrections.at(count).second, static_cast<float>(1 / (1 - std::pow(0.999999, count))));
  }
}

TEST(UpdateArguments, AWeightBoundIsANumberOfThePrecisionAndNoLarger) {
  const auto bound = [](config::Precision precision, double written) {
    return make_update_arguments({.precision = precision, .weight_bound = written}).weight_bound;
  };
  EXPECT_EQ(bound(config::Precision::fp32, 0.3), 0.3F);
  EXPECT_EQ(bound(config::Precision::fp16, 0.3), 1228 * 0x1p-12F);
  EXPECT_EQ(bound(config::Precision::bf16, 0.3), 153 * 0x1p-9F);
  EXPECT_EQ(bound(config::Precision::fp16, 0x1.8p-24), 0x1p-24F);
  EXPECT_EQ(bound(config::Precision::fp16, 1e9), 65504.0F);
  EXPECT_EQ(bound(config::Precision::fp32, 0), std::numeric_limits<float>::infinity());
}

TEST(UpdateArguments, CountsStayWholeNumbers) {
  EXPECT_EQ(next_count(0), 1.0F);
  EXPECT_EQ(next_count(0x1.0p24F - 2), 0x1.0p24F - 1);
  EXPECT_EQ(next_count(0x1.0p24F - 1), 0x1.0p23F);
}

}  // namespace
}  // namespace persia::table
