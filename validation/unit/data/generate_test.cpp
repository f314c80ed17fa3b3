#include "data/generate.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/file.hpp"
#include "data/alias_table.hpp"
#include "data/criteo_text.hpp"
#include "data/exact_auc.hpp"
#include "data/text_sink.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

GenerateOptions small(const Folder& folder, const std::string& name) {
  return {.folder = folder.path() / name, .train_rows = 20000, .test_rows = 5000, .seed = 3};
}

TEST(Generate, WritesFilesThatTheReaderTakesWithTheSharesAskedFor) {
  const Folder folder;
  const GenerateOptions options = small(folder, "a");
  const GenerateResult result = generate_criteo(options);
  ReadCounts counts;
  const Batch batch = read_all(criteo(), {options.folder / "train.tsv"}, {}, &counts);
  EXPECT_EQ(batch.num_samples, 20000);
  EXPECT_NEAR(static_cast<double>(counts.blank_dense) / (20000 * 13), 0.05, 0.002);
  EXPECT_NEAR(static_cast<double>(counts.blank_categories) / (20000 * 26), 0.05, 0.002);
  EXPECT_NEAR(result.positives, 0.25, 0.02);
  EXPECT_LT(*std::min_element(batch.dense.begin(), batch.dense.end()), 0.0F);
  EXPECT_THAT(read_text_file(options.folder / "teacher.json"), testing::HasSubstr("\"test_auc\": 0.8"));
}

TEST(Generate, IsAsHardForEverySeedAndSize) {
  const Folder folder;
  for (const std::uint64_t seed : {1U, 2U, 77U})
    for (const std::int64_t cardinality : {100, 10000}) {
      GenerateOptions options = small(folder, "a");
      options.seed = seed;
      options.cardinality = cardinality;
      options.test_rows = 20000;
      const GenerateResult result = generate_criteo(options);
      EXPECT_GT(result.test_auc, 0.80);
      EXPECT_LT(result.test_auc, 0.86);
      EXPECT_NEAR(result.train_auc, result.test_auc, 0.02);
    }
}

TEST(Generate, DependsOnTheSeedAndOnNothingElse) {
  const Folder folder;
  const auto text = [&](const GenerateOptions& options, const char* file) {
    (void)generate_criteo(options);
    return read_text_file(options.folder / file);
  };
  GenerateOptions options = small(folder, "a");
  const std::string train = text(options, "train.tsv");
  const std::string test = text(options, "test.tsv");
  EXPECT_EQ(train, text(small(folder, "b"), "train.tsv"));
  options.train_rows = 100;
  EXPECT_EQ(test, text(options, "test.tsv"));
  EXPECT_TRUE(train.starts_with(read_text_file(options.folder / "train.tsv")));
  options.seed = 4;
  EXPECT_NE(test, text(options, "test.tsv"));
}

TEST(Generate, CompressesTheSameRows) {
  const Folder folder;
  GenerateOptions options = small(folder, "a");
  (void)generate_criteo(options);
  options.gzip = true;
  (void)generate_criteo(options);
  const Batch plain = read_all(criteo(), {options.folder / "test.tsv"});
  const Batch packed = read_all(criteo(), {options.folder / "test.tsv.gz"});
  EXPECT_EQ(plain.dense, packed.dense);
  EXPECT_EQ(plain.columns[7].ids, packed.columns[7].ids);
}

TEST(Generate, RefusesOptionsThatMakeNoSense) {
  const Folder folder;
  const auto refused = [&](auto change) {
    GenerateOptions options = small(folder, "a");
    change(options);
    return !user_error([&] { (void)generate_criteo(options); }).empty();
  };
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.train_rows = 0; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.cardinality = 3; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.blank = 1.0; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.zipf = std::nan(""); }));
}

TEST(CategoryWord, IsDifferentForDifferentIds) {
  std::set<std::uint32_t> words;
  for (std::uint32_t id = 0; id < 200000; ++id) words.insert(category_word(1, id));
  EXPECT_EQ(words.size(), 200000U);
}

TEST(AliasTable, DrawsInProportionToTheWeights) {
  const AliasTable table({1, 0, 3, 6});
  std::vector<int> counts(4);
  for (std::uint64_t i = 0; i < 100000; ++i) ++counts[table.draw(mix64(i))];
  EXPECT_NEAR(counts[0], 10000, 500);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 30000, 800);
  EXPECT_NEAR(counts[3], 60000, 800);
}

TEST(ExactAuc, CountsTiesHalf) {
  std::vector<float> positives{.9F, .6F, .2F}, negatives{.6F, .6F, .2F};
  EXPECT_NEAR(exact_auc(positives, negatives), 11.0 / 18.0, 1e-15);
  std::vector<float> none;
  EXPECT_TRUE(std::isnan(exact_auc(positives, none)));
}

TEST(TextSink, ShowsAFileOnlyWhenItIsWhole) {
  const Folder folder;
  {
    TextSink sink(folder.path() / "a", false);
    sink.write("text");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  TextSink sink(folder.path() / "a", false);
  sink.write("text");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
  sink.close();
  EXPECT_EQ(read_text_file(folder.path() / "a"), "text");
}

TEST(TextSink, ReportsAFullDisk) {
  EXPECT_THROW({ TextSink sink("/proc/persia-cannot-be-made", false); }, Error);
}

}  // namespace
}  // namespace persia::data
