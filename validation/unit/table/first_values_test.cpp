#include "table/first_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "table_maker.hpp"

namespace persia::table {
namespace {

std::vector<float> first_values(const config::Init& init, std::uint64_t seed, std::uint64_t salt,
                                std::uint64_t id, std::size_t dim) {
  std::vector<float> values(dim);
  const Kernels kernels = kernel_versions(config::OptimizerType::sgd, config::Precision::fp32).front();
  FirstValues(init, static_cast<std::int32_t>(dim), seed, salt, kernels.uniform).fill(FeatureId(id), values);
  return values;
}

TEST(FirstValues, DependOnSeedSaltAndIdOnly) {
  const config::Init init;
  const auto values = first_values(init, 1, 2, 3, 16);
  EXPECT_EQ(values, first_values(init, 1, 2, 3, 16));
  EXPECT_NE(values, first_values(init, 2, 2, 3, 16));
  EXPECT_NE(values, first_values(init, 1, 3, 3, 16));
  EXPECT_NE(values, first_values(init, 1, 2, 4, 16));
}

TEST(FirstValues, UniformFillsItsRangeEvenly) {
  const auto values = first_values({.type = config::InitType::uniform, .scale = 0.5}, 1, 2, 3, 4095);
  double sum = 0, squares = 0;
  for (const float value : values) {
    EXPECT_LT(std::abs(value), 0.5F);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 4095, 0, 5 * 0.5 / std::sqrt(3.0 * 4095));
  EXPECT_NEAR(squares / 4095, 0.25 / 3, 0.005);
}

TEST(FirstValues, NormalHasItsDeviation) {
  const auto values = first_values({.type = config::InitType::normal, .scale = 2.0}, 1, 2, 3, 4096);
  double sum = 0, squares = 0;
  for (const float value : values) {
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 4096, 0, 5 * 2.0 / 64);
  EXPECT_NEAR(squares / 4096, 4.0, 0.5);
}

// A standard normal within two deviations has the variance 1 - 4 phi(2) / (2 Phi(2) - 1) = 0.7737.
TEST(FirstValues, TruncatedNormalStaysWithinTwoDeviations) {
  const config::Init init{.type = config::InitType::truncated_normal, .scale = 2.0};
  const auto values = first_values(init, 1, 2, 3, 4096);
  double sum = 0, squares = 0;
  for (const float value : values) {
    EXPECT_LE(std::abs(value), 4.0F);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 4096, 0, 5 * 1.76 / 64);
  EXPECT_NEAR(squares / 4096, 4 * 0.7737, 0.3);
}

TEST(FirstValues, PerSqrtDimDividesTheScale) {
  for (const auto type :
       {config::InitType::uniform, config::InitType::normal, config::InitType::truncated_normal}) {
    const auto plain = first_values({.type = type, .scale = 1}, 1, 2, 3, 64);
    const auto scaled = first_values({.type = type, .scale = 1, .per_sqrt_dim = true}, 1, 2, 3, 64);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_FLOAT_EQ(scaled[i], plain[i] / 8);
  }
}

TEST(FirstValues, ConstantAndZeroAreWhatTheySay) {
  EXPECT_EQ(first_values({.type = config::InitType::constant, .value = -0.25}, 1, 2, 3, 5),
            std::vector<float>(5, -0.25F));
  EXPECT_EQ(first_values({.type = config::InitType::zero}, 1, 2, 3, 5), std::vector<float>(5, 0.0F));
}

// Each id answered by the table of whichever owner holds it, in whichever order it came.
TEST(FirstValues, DoNotDependOnArrivalOrderOrNumberOfTables) {
  const auto schema = schema_with(config::OptimizerType::sgd, config::Precision::bf16, 7);
  const auto ids = ids_between(0, 3000);
  const auto one = make_table(schema, {.seed = 5});
  const Answer all = lookup(*one, ids);
  std::vector<std::unique_ptr<Table>> owners;
  for (int owner = 0; owner < 3; ++owner) owners.push_back(make_table(schema, {.seed = 5}));
  for (std::size_t i = ids.size(); i-- > 0;) {
    const Answer single = lookup(*owners[i % 3], {ids[i]});
    ASSERT_TRUE(std::equal(single.values.begin(), single.values.end(),
                           all.values.begin() + static_cast<long>(7 * i)));
  }
}

}  // namespace
}  // namespace persia::table
