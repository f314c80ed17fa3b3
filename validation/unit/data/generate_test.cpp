#include "data/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/file.hpp"
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
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.train_rows = std::numeric_limits<std::int64_t>::max(); }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.folder = "/proc/persia-cannot-be-made"; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.cardinality = 3; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.blank = 1.0; }));
  EXPECT_TRUE(refused([](GenerateOptions& o) { o.zipf = std::nan(""); }));
}

}  // namespace
}  // namespace persia::data
