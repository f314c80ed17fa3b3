#include "data/synthetic.hpp"

#include <set>

#include "fixtures.hpp"

namespace persia::data {
namespace {

Recipe synthetic(std::int64_t rows, std::int64_t shrink = 1) {
  Recipe recipe;
  recipe.data.format = config::DataFormat::synthetic;
  recipe.data.synthetic = {.rows = rows, .shrink = shrink};
  for (int i = 1; i <= 13; ++i) recipe.dense(fmt::format("I{}", i));
  for (int i = 1; i <= 26; ++i) recipe.category(fmt::format("C{}", i), config::CategoryType::integer);
  return recipe;
}

TEST(SyntheticPool, MakesTheSamplesOtherProgramsMake) {
  const SyntheticPool pool(1);
  const SyntheticSample first = pool.sample(0);
  EXPECT_THAT(first.ids,
              testing::ElementsAre(345, 555, 5593857, 186345, 95, 2, 10910, 137, 0, 68322, 3668, 5750080,
                                   1251, 21, 3467, 708010, 2, 5167, 1442, 1, 0, 2, 1, 43162, 97, 87670));
  EXPECT_NEAR(first.dense[0], 1.070626, 1e-6);
  EXPECT_NEAR(first.dense[1], 0.718147, 1e-6);
  EXPECT_NEAR(first.dense[2], 0.341874, 1e-6);
}

TEST(SyntheticPool, AgreesInItsFirst65536Samples) {
  const SyntheticPool pool(1);
  std::uint64_t sum = 0;
  int positives = 0;
  for (std::int64_t i = 0; i < 65536; ++i) {
    const SyntheticSample sample = pool.sample(i);
    for (const std::uint64_t id : sample.ids) sum += id;
    positives += sample.label > 0 ? 1 : 0;
  }
  EXPECT_EQ(sum, 1026731360698U);
  EXPECT_EQ(positives, 14933);
}

TEST(SyntheticPool, ShrinksCardinalitiesAndStaysInside) {
  const SyntheticPool pool(10);
  EXPECT_EQ(pool.cardinality(2), 1013123);
  EXPECT_EQ(pool.cardinality(8), 3);
  for (std::int64_t i = 0; i < 2000; ++i) {
    const SyntheticSample sample = pool.sample(i);
    for (std::size_t t = 0; t < kSyntheticColumns; ++t)
      EXPECT_LT(sample.ids[t], static_cast<std::uint64_t>(pool.cardinality(t)));
  }
}

TEST(SyntheticSource, GivesThePoolInOrderAndInSlices) {
  const Recipe recipe = synthetic(1000);
  SourceOptions options;
  options.batch_size = 300;
  const std::vector<Batch> whole = read_epoch(recipe, options);
  ASSERT_EQ(whole.size(), 4U);
  EXPECT_EQ(whole[3].num_samples, 100);
  EXPECT_EQ(whole[1].row_numbers[5], 305);
  const SyntheticSample sample = SyntheticPool(1).sample(305);
  EXPECT_EQ(whole[1].columns[2].ids[5], FeatureId(sample.ids[2]));
  EXPECT_EQ(whole[1].dense[5 * 13 + 4], sample.dense[4]);
  EXPECT_EQ(whole[1].labels[5], sample.label);
  options.slice = {.index = 1, .count = 2};
  options.start.batch_in_epoch = 1;
  const std::vector<Batch> half = read_epoch(recipe, options);
  EXPECT_EQ(half[0].row_numbers.front(), 450);
  EXPECT_EQ(half[0].num_samples, 150);
  EXPECT_EQ(half[0].global_rows, 300);
}

TEST(SyntheticSource, ShufflesEveryRowOnce) {
  Recipe recipe = synthetic(1000);
  recipe.data.shuffle_rows = 300;
  SourceOptions options;
  options.batch_size = 64;
  options.shuffle = true;
  std::set<std::int64_t> rows;
  std::int64_t place = 0;
  for (const Batch& batch : read_epoch(recipe, options))
    for (const std::int64_t row : batch.row_numbers) {
      EXPECT_EQ(row / 300, place++ / 300);
      rows.insert(row);
    }
  EXPECT_EQ(rows.size(), 1000U);
}

}  // namespace
}  // namespace persia::data
