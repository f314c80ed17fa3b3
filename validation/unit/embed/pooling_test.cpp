#include "embed/pooling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "example.hpp"

namespace persia::embed {
namespace {

using ::testing::Each;
using ::testing::FloatNear;
using ::testing::Pointwise;

// Rows: value k of the buffer is k.
struct Pooled : ::testing::Test {
  data::Batch batch = example::batch();
  config::Schema schema = example::schema();
  LookupPlan plan = make_plan(batch, schema, 1);
  std::vector<float> rows = std::vector<float>(static_cast<std::size_t>(plan.num_floats));
  std::vector<float> embedded = std::vector<float>(3 * 7, -1.0F);
  Pooled() { std::iota(rows.begin(), rows.end(), 0.0F); }
};

TEST_F(Pooled, SumMeanAndSqrtnAsWrittenAndZerosForAnEmptyList) {
  pool(batch, plan, schema, rows, embedded);
  // Table a: row of 5 = (0, 1), 7 = (2, 3), 9 = (4, 5). Table b: 1 = (6, 7, 8), 2 = (9, ..), 3 = (12, ..), 4
  // = (15, ..).
  const std::vector<float> expected = {2, 3, 3, 4, 6,  7,  8,  //
                                       0, 1, 0, 0, 6,  7,  8,  //
                                       2, 3, 2, 3, 21, 23, 25};
  EXPECT_THAT(embedded, Pointwise(FloatNear(1e-6F), expected));
}

TEST_F(Pooled, CombineIsTheTransposeOfPool) {
  // <pool(rows), d> == <rows, combine(d)> for any d.
  std::vector<float> d(embedded.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = std::sin(static_cast<float>(i) + 1);
  std::vector<float> gradients(rows.size(), 99.0F);
  pool(batch, plan, schema, rows, embedded);
  combine(batch, plan, schema, d, 1.0F, gradients);
  const double left = std::inner_product(d.begin(), d.end(), embedded.begin(), 0.0);
  const double right = std::inner_product(rows.begin(), rows.end(), gradients.begin(), 0.0);
  EXPECT_NEAR(left, right, 1e-4 * std::abs(left));
}

TEST_F(Pooled, CombineScalesAndAddsUpAllUsesOfARow) {
  const std::vector<float> ones(embedded.size(), 1.0F);
  std::vector<float> gradients(rows.size());
  combine(batch, plan, schema, ones, 0.5F, gradients);
  // Id 7: column 0 twice (1 + 1), column 1: half of (7, 9) and all of (7, 7): 0.5 + 1.
  EXPECT_FLOAT_EQ(gradients[2], 0.5F * 3.5F);
  // Id 9: half of (7, 9).
  EXPECT_FLOAT_EQ(gradients[4], 0.5F * 0.5F);
  // Id 1 of table b: samples 0 and 1 alone, sample 2 among four: 1 + 1 + 1/2.
  EXPECT_FLOAT_EQ(gradients[6], 0.5F * 2.5F);
}

TEST(Pooling, ABatchOfEmptyListsGivesZerosAndTouchesNoRow) {
  data::Batch batch;
  batch.num_samples = 2;
  batch.columns = {example::lists({{}, {}}), example::lists({{}, {}}), example::lists({{}, {}})};
  const config::Schema schema = example::schema();
  const LookupPlan plan = make_plan(batch, schema, 1);
  EXPECT_EQ(plan.num_floats, 0);
  std::vector<float> embedded(2 * 7, 5.0F);
  pool(batch, plan, schema, {}, embedded);
  EXPECT_THAT(embedded, Each(0.0F));
}

}  // namespace
}  // namespace persia::embed
