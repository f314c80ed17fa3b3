#include "config/schema.hpp"

#include <gtest/gtest.h>

#include "base/hash.hpp"

namespace persia::config {
namespace {

TEST(Schema, GivesCriteoItsThirteenNumbersAndTwentySixCategories) {
  const Schema schema = make_schema(RunFile{});
  ASSERT_EQ(schema.num_dense(), 13);
  EXPECT_EQ(schema.dense.front().name, "I1");
  EXPECT_EQ(schema.dense.back().name, "I13");
  EXPECT_EQ(schema.dense[4].transform, Transform::log1p);
  ASSERT_EQ(schema.columns.size(), 26U);
  EXPECT_EQ(schema.columns.front().column.name, "C1");
  EXPECT_EQ(schema.columns.back().column.table, "C26");
  EXPECT_EQ(schema.tables.size(), 26U);
  EXPECT_EQ(schema.embedded_width, 26 * 16);
  EXPECT_EQ(schema.columns[2].embedded_begin, 32);
}

TEST(Schema, LeavesSyntheticNumbersAsTheyAreMade) {
  RunFile run;
  run.data.format = DataFormat::synthetic;
  EXPECT_EQ(make_schema(run).dense[0].transform, Transform::none);
}

TEST(Schema, TakesListedCriteoColumnsIntoTheirPlaces) {
  RunFile run;
  run.data.categorical = {{.name = "C5", .table = "shared"}, {.name = "C2", .table = "shared"}};
  run.tables = {{.name = "shared", .table = {.dim = 4}}};
  const Schema schema = make_schema(run);
  ASSERT_EQ(schema.columns.size(), 26U);
  EXPECT_EQ(schema.tables.size(), 25U);
  EXPECT_EQ(schema.columns[1].table, schema.columns[4].table);
  EXPECT_EQ(schema.columns[1].dim, 4);
  EXPECT_EQ(schema.tables[1].name, "shared");
  EXPECT_EQ(schema.embedded_width, 24 * 16 + 2 * 4);
}

TEST(Schema, NumbersTablesInTheOrderOfFirstUse) {
  RunFile run;
  run.data.format = DataFormat::csv;
  run.data.dense = {{.name = "age"}};
  run.data.categorical = {{.name = "b"}, {.name = "a", .table = "t"}, {.name = "c", .table = "b"}};
  const Schema schema = make_schema(run);
  ASSERT_EQ(schema.tables.size(), 2U);
  EXPECT_EQ(schema.tables[0].name, "b");
  EXPECT_EQ(schema.tables[1].name, "t");
  EXPECT_EQ(schema.columns[2].table, TableIndex(0));
  EXPECT_EQ(schema.columns[2].embedded_begin, 32);
  EXPECT_EQ(schema.tables[1].salt, hash_bytes("t", 0));
}

TEST(Schema, AllowsEmptyFeatureGroups) {
  RunFile run;
  run.data.format = DataFormat::csv;
  run.data.dense = {{.name = "age"}};
  const Schema schema = make_schema(run);
  EXPECT_EQ(schema.embedded_width, 0);
  EXPECT_TRUE(schema.tables.empty());
}

}  // namespace
}  // namespace persia::config
