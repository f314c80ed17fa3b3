// Published data sets, as they are distributed; skipped where PERSIA_DATA_DIR does not hold them.
#include <cstdlib>
#include <numeric>

#include "data/survey.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

// The folder of one data set, or "" after saying that the test is skipped.
std::filesystem::path data_set(const std::string& name) {
  const char* root = std::getenv("PERSIA_DATA_DIR");
  return root != nullptr && std::filesystem::exists(root + ("/" + name)) ? std::filesystem::path(root) / name
                                                                         : "";
}

int positives(const Batch& batch) {
  return static_cast<int>(std::accumulate(batch.labels.begin(), batch.labels.end(), 0.0));
}

TEST(RealData, ReadsUciAdult) {
  const std::filesystem::path folder = data_set("adult");
  if (folder.empty()) GTEST_SKIP() << "no data: PERSIA_DATA_DIR/adult";
  Recipe recipe = csv();
  recipe.data.comment = "|";
  recipe.data.header = {
      "age",        "workclass",    "fnlwgt", "education", "education_num", "marital_status",
      "occupation", "relationship", "race",   "sex",       "capital_gain",  "capital_loss",
      "hours",      "country",      "income"};
  recipe.data.label = {.name = "income", .positive = {">50K", ">50K."}, .negative = {"<=50K", "<=50K."}};
  recipe.dense("age", config::Transform::standardise).dense("capital_gain", config::Transform::standardise);
  recipe.category("workclass").category("country");
  const Survey figures = survey(recipe.data, recipe.schema, {folder / "adult.data"});
  EXPECT_EQ(figures.rows, 32561);
  EXPECT_NEAR(figures.statistics.mean[0], 38.58165, 1e-4);
  const Batch train = read_all(recipe, {folder / "adult.data"}, figures.statistics);
  const Batch test = read_all(recipe, {folder / "adult.test"}, figures.statistics);
  EXPECT_EQ(train.num_samples, 32561);
  EXPECT_EQ(positives(train), 7841);
  EXPECT_EQ(test.num_samples, 16281);
  EXPECT_EQ(positives(test), 3846);
}

TEST(RealData, ReadsOnlineShoppers) {
  const std::filesystem::path folder = data_set("online_shoppers");
  if (folder.empty()) GTEST_SKIP() << "no data: PERSIA_DATA_DIR/online_shoppers";
  Recipe recipe = csv();
  recipe.data.label = {.name = "Revenue", .positive = {"TRUE"}, .negative = {"FALSE"}};
  recipe.dense("Administrative").dense("BounceRates").category("Month").category("Weekend");
  ReadCounts counts;
  const Batch batch = read_all(recipe, {folder / "online_shoppers_intention.csv"}, {}, &counts);
  EXPECT_EQ(batch.num_samples, 12330);
  EXPECT_EQ(positives(batch), 1908);
  EXPECT_EQ(counts.blank_dense, 2 * 14);
}

TEST(RealData, ReadsMovieLensTitlesWithCommasAndGenres) {
  const std::filesystem::path folder = data_set("ml-latest-small");
  if (folder.empty()) GTEST_SKIP() << "no data: PERSIA_DATA_DIR/ml-latest-small";
  Recipe recipe = csv();
  recipe.data.label.name = "none";
  const config::CategoricalColumn genres{
      .name = "genres", .table = "genres", .separator = std::string(1, '|')};
  recipe.category("movieId", config::CategoryType::integer).category("title").category(genres);
  const Batch batch = read_all(recipe, {folder / "movies.csv"});
  EXPECT_EQ(batch.num_samples, 9742);
  EXPECT_EQ(batch.columns[2].offsets[1], 5);  // Toy Story
}

}  // namespace
}  // namespace persia::data
