#include "embed/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "example.hpp"
#include "roles/teams.hpp"

namespace persia::embed {
namespace {

TEST(Plan, LooksUpEachIdOfATableOnceOverAllItsColumns) {
  const LookupPlan plan = make_plan(example::batch(), example::schema(), 1);
  EXPECT_EQ(plan.tables[0].ids, (std::vector{FeatureId(5), FeatureId(7), FeatureId(9)}));
  EXPECT_EQ(plan.tables[1].ids, (std::vector{FeatureId(1), FeatureId(2), FeatureId(3), FeatureId(4)}));
  EXPECT_EQ(plan.num_floats, 3 * 2 + 4 * 3);
  EXPECT_EQ(plan.row_begin, (std::vector<std::int64_t>{0, 6}));
}

TEST(Plan, EveryEntryFindsItsOwnIdForAnyNumberOfOwners) {
  const data::Batch batch = example::batch();
  const config::Schema schema = example::schema();
  for (const std::int32_t owners : {1, 2, 3, 7}) {
    const LookupPlan plan = make_plan(batch, schema, owners);
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
      const TablePlan& table = plan.tables[static_cast<std::size_t>(schema.columns[c].table.value())];
      for (std::size_t k = 0; k < batch.columns[c].ids.size(); ++k)
        EXPECT_EQ(table.ids[static_cast<std::size_t>(plan.row_of_entry[c][k])], batch.columns[c].ids[k]);
    }
  }
}

TEST(Plan, GroupsIdsByTheirOwnerAscendingWithin) {
  data::Batch batch = example::batch();
  std::vector<std::vector<std::uint64_t>> samples;
  for (std::uint64_t id = 0; id < 1000; ++id) samples.push_back({id * id});
  batch.num_samples = 1000;
  batch.columns = {example::lists(samples), example::lists(samples), example::lists(samples)};
  const config::Schema schema = example::schema();
  const LookupPlan plan = make_plan(batch, schema, 3);
  for (std::size_t t = 0; t < 2; ++t) {
    const TablePlan& table = plan.tables[t];
    ASSERT_EQ(table.ids.size(), 1000U);
    ASSERT_EQ(table.owner_begin.size(), 4U);
    EXPECT_EQ(table.owner_begin.back(), 1000);
    for (std::int32_t owner = 0; owner < 3; ++owner) {
      const auto begin = table.ids.begin() + table.owner_begin[static_cast<std::size_t>(owner)];
      const auto end = table.ids.begin() + table.owner_begin[static_cast<std::size_t>(owner) + 1];
      EXPECT_TRUE(std::is_sorted(begin, end));
      EXPECT_TRUE(std::all_of(begin, end, [&](FeatureId id) {
        return roles::owner_of(place_hash(id, schema.tables[t].salt), 3) == OwnerIndex(owner);
      }));
      EXPECT_GT(end - begin, 250) << "owners share ids evenly";
    }
  }
}

TEST(Plan, AnEmptyBatchLooksUpNothing) {
  data::Batch batch;
  batch.columns = {example::lists({}), example::lists({}), example::lists({})};
  const LookupPlan plan = make_plan(batch, example::schema(), 2);
  EXPECT_EQ(plan.num_floats, 0);
  EXPECT_EQ(plan.tables[0].owner_begin, (std::vector<std::int32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace persia::embed
