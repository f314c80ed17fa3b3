#include "data/survey.hpp"

#include <cmath>

#include "data/running_moments.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::Transform;
using testing::ElementsAre;
using testing::HasSubstr;

Number whole(std::int64_t value) {
  return {.real = static_cast<double>(value), .integer = value, .is_integer = true};
}

TEST(RunningMoments, AreExactForNanosecondTimes) {
  RunningMoments moments;
  for (int i = 0; i < 1000; ++i) moments.add(whole(1700000000000000000 + i * 1000000000LL));
  EXPECT_EQ(moments.mean(), 1.7e18 + 499.5e9);
  EXPECT_NEAR(moments.deviation(), 1e9 * std::sqrt((1e6 - 1) / 12), 1.0);
  RunningMoments close;
  for (int i = 0; i < 3; ++i) close.add(whole(1700000000000000000 + i));
  EXPECT_NEAR(close.deviation(), std::sqrt(2.0 / 3.0), 1e-15);
}

TEST(RunningMoments, TakeWholeAndRealNumbersTogether) {
  RunningMoments moments;
  moments.add(whole(1));
  moments.add({.real = 2.5});
  moments.add(whole(-2));
  EXPECT_NEAR(moments.mean(), 0.5, 1e-15);
  EXPECT_NEAR(moments.deviation(), std::sqrt((0.25 + 4 + 6.25) / 3), 1e-15);
  EXPECT_EQ(moments.largest(), 2.5);
}

TEST(Survey, FitsStatisticsThatStandardise) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("x", Transform::standardise).dense("y", Transform::log1p);
  const auto file = folder.write("a", "click,x,y\n0,1,5\n1,3,5\n0,,5\n1,5,7000\n");
  const Survey survey = data::survey(recipe.data, recipe.schema, {file});
  EXPECT_EQ(survey.rows, 4);
  EXPECT_TRUE(survey.complete);
  EXPECT_TRUE(survey.warnings.empty());
  EXPECT_EQ(survey.statistics.mean[0], 3.0);
  EXPECT_NEAR(survey.statistics.scale[0], 1 / std::sqrt(8.0 / 3.0), 1e-15);
  EXPECT_EQ(survey.statistics.mean[1], 0.0);
  EXPECT_EQ(survey.statistics.scale[1], 1.0);
  const Batch batch = read_all(recipe, {file}, survey.statistics);
  EXPECT_FLOAT_EQ(batch.dense[0], -1.2247449F);
  EXPECT_EQ(batch.dense[2], 0.0F);
  EXPECT_EQ(batch.dense[4], 0.0F);  // blank: the mean
  EXPECT_FLOAT_EQ(batch.dense[6], 1.2247449F);
}

TEST(Survey, KeepsNeighbouringTimesApart) {
  const Folder folder;
  for (const char* zeros : {"", "000000000"}) {
    Recipe recipe = csv();
    recipe.dense("time", Transform::standardise);
    const std::string z = zeros;
    const auto file = folder.write(
        "a", "click,time\n0,1700000100" + z + "\n0,1700000001" + z + "\n1,1700000050" + z + "\n");
    const Survey survey = data::survey(recipe.data, recipe.schema, {file});
    const Batch batch = read_all(recipe, {file}, survey.statistics);
    EXPECT_NEAR(batch.dense[0], 1.228848, 1e-5);
    EXPECT_NEAR(batch.dense[1], -1.220600, 1e-5);
    EXPECT_NEAR(batch.dense[2], -0.008247, 1e-5);
  }
}

TEST(Survey, WarnsOfNumbersTooLargeToLearnFrom) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("price").dense("count", Transform::log1p).dense("age");
  std::string text = "click,price,count,age\n";
  for (std::int64_t i = 0; i < 2000; ++i)
    text += "1," + std::to_string(1600000000000000000 + 1000000000 * i) + ",100000,90\n";
  const Survey survey = data::survey(recipe.data, recipe.schema, {folder.write("a", text)});
  ASSERT_EQ(survey.warnings.size(), 1U);
  EXPECT_THAT(survey.warnings[0], HasSubstr("dense column 'price' has values up to 1.6e+18"));
  EXPECT_THAT(survey.warnings[0], HasSubstr("use transform: standardise"));
}

TEST(Survey, MakesConstantColumnsZeroAndSaysSo) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("always", Transform::standardise).dense("never", Transform::standardise);
  const auto file = folder.write("a", "click,always,never\n0,0.1,\n1,0.1,\n0,0.1,\n");
  const Survey survey = data::survey(recipe.data, recipe.schema, {file});
  EXPECT_THAT(survey.warnings,
              ElementsAre(HasSubstr("'always' is 0.1 in every row"), HasSubstr("'never' is blank")));
  const auto other = folder.write("b", "click,always,never\n0,1e30,7\n");
  EXPECT_THAT(read_all(recipe, {other}, survey.statistics).dense, ElementsAre(0.0F, 0.0F));
}

TEST(Survey, ReadsASampleUnlessSomeColumnWantsEverything) {
  const Folder folder;
  std::string text = "click,x\n";
  for (int i = 0; i < 100001; ++i) text += "1,2\n";
  const auto file = folder.write("a", text);
  Recipe recipe = csv();
  recipe.dense("x");
  EXPECT_EQ(survey(recipe.data, recipe.schema, {file}).rows, 100000);
  EXPECT_FALSE(survey(recipe.data, recipe.schema, {file}).complete);
  recipe.schema.dense[0].transform = Transform::standardise;
  EXPECT_EQ(survey(recipe.data, recipe.schema, {file}).rows, 100001);
  EXPECT_TRUE(survey(recipe.data, recipe.schema, {file}).complete);
}

TEST(Survey, TreatsBadRowsAsTheRunFileSays) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("x", Transform::standardise);
  const auto file = folder.write("a", "click,x\n1,2\n0,y\n0,4\n");
  EXPECT_THAT(user_error([&] { (void)survey(recipe.data, recipe.schema, {file}); }),
              HasSubstr("a:3:3: column 'x'"));
  recipe.data.on_bad_row = config::BadRow::skip;
  EXPECT_EQ(survey(recipe.data, recipe.schema, {file}).statistics.mean[0], 3.0);
}

}  // namespace
}  // namespace persia::data
