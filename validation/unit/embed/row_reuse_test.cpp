#include "embed/row_reuse.hpp"

#include <gtest/gtest.h>

#include "example.hpp"

namespace persia::embed {
namespace {

constexpr std::int32_t kOwners = 3;

// A batch with these ids in table "a", and one id in table "b".
LookupPlan plan_of(const config::Schema& schema, const std::vector<std::uint64_t>& ids) {
  data::Batch batch = example::batch();
  batch.num_samples = 1;
  batch.columns = {example::lists({ids}), example::lists({{}}), example::lists({{1}})};
  return make_plan(batch, schema, kOwners);
}

std::size_t asked(const RowSplit& split) {
  std::size_t count = 0;
  for (const RowShare& share : split.shares) count += share.num_asked;
  return count;
}

struct RowReuseTest : ::testing::Test {
  config::Schema schema = example::schema();
};

TEST_F(RowReuseTest, AsksForEverythingOfAFirstBatch) {
  RowReuse reuse(schema, kOwners, 4);
  const RowSplit split = reuse.split(plan_of(schema, {7, 8, 9}), 2);
  EXPECT_EQ(asked(split), 4U);
  EXPECT_TRUE(split.copies.empty());
  EXPECT_EQ(split.missing, 2);
}

TEST_F(RowReuseTest, KeepsWhatTheBatchBeforeHadAndFillsItsRows) {
  RowReuse reuse(schema, kOwners, 4);
  const LookupPlan first = plan_of(schema, {7, 8, 9}), second = plan_of(schema, {5, 8, 9, 10});
  const RowSplit of_first = reuse.split(first, 0), of_second = reuse.split(second, 1);
  EXPECT_EQ(asked(of_second), 2U) << "ids 5 and 10 of table a; the one of table b is kept";

  // Each row holds its id.
  const auto rows_of = [&](const LookupPlan& plan, bool all, const RowSplit& split) {
    std::vector<float> rows(static_cast<std::size_t>(plan.num_floats), -1.0F);
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t place = 0; place < plan.tables[t].ids.size(); ++place) {
        const auto dim = static_cast<std::size_t>(schema.tables[t].table.dim);
        const FeatureId id = plan.tables[t].ids[place];
        bool is_asked = all;
        for (const RowShare& share : split.shares)
          is_asked = is_asked || std::ranges::count(std::span(share.ids).first(share.num_asked), id) > 0;
        for (std::size_t d = 0; is_asked && d < dim; ++d)
          rows[static_cast<std::size_t>(plan.row_begin[t]) + place * dim + d] =
              static_cast<float>(id.value());
      }
    return rows;
  };
  std::vector<float> rows = rows_of(first, true, of_first);
  reuse.complete(of_first, rows);
  std::vector<float> partly = rows_of(second, false, of_second);
  EXPECT_NE(partly, rows_of(second, true, of_second));
  reuse.complete(of_second, partly);
  EXPECT_EQ(partly, rows_of(second, true, of_second));
}

TEST_F(RowReuseTest, ARowIsAskedForAgainWhenItMissesAsManyUpdatesAsItMay) {
  RowReuse reuse(schema, kOwners, 4);
  const LookupPlan plan = plan_of(schema, {7});
  std::vector<std::size_t> counts;
  std::vector<std::int32_t> missing;
  for (int batch = 0; batch < 8; ++batch) {
    const RowSplit split = reuse.split(plan, std::min(batch, 2));
    counts.push_back(asked(split));
    missing.push_back(split.missing);
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 0, 0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(missing, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 2, 3, 4}));
}

TEST_F(RowReuseTest, AnIdThatABatchLeavesOutIsForgotten) {
  RowReuse reuse(schema, kOwners, 9);
  (void)reuse.split(plan_of(schema, {7, 8}), 0);
  (void)reuse.split(plan_of(schema, {8}), 0);
  EXPECT_EQ(asked(reuse.split(plan_of(schema, {7, 8}), 0)), 1U);
}

TEST_F(RowReuseTest, NeighboursTravelInOneRun) {
  RowReuse reuse(schema, 1, 4);
  data::Batch batch = example::batch();
  const LookupPlan plan = make_plan(batch, schema, 1);
  const RowSplit split = reuse.split(plan, 0);
  ASSERT_EQ(split.shares.size(), 2U);
  EXPECT_EQ(split.shares[0].num_asked_runs, 1U);
  EXPECT_EQ(split.shares[0].runs[0].count, 3U * 2) << "ids 5, 7 and 9 of dim 2";
  const RowSplit again = reuse.split(plan, 0);
  EXPECT_EQ(again.copies.size(), 1U) << "both tables lie side by side";
}

}  // namespace
}  // namespace persia::embed
