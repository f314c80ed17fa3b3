// Rows that are too old, in steps and in seconds.
#include <gtest/gtest.h>

#include "evicting.hpp"

namespace persia::table {
namespace {

using config::EvictionPolicy;

TEST(Eviction, AnIdWhoseRowIsTooOldIsAdmittedLikeANewOne) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_steps = 5;
  schema.table.admission = {.policy = config::AdmissionPolicy::sightings, .sightings = 2};
  const auto table = make_table(schema, {});
  EXPECT_TRUE(lookup_at(*table, ids_of({7}), 0).rows[0].absent());
  EXPECT_FALSE(lookup_at(*table, ids_of({7}), 1).rows[0].absent());
  EXPECT_TRUE(lookup_at(*table, ids_of({7}), 7).rows[0].absent());
  EXPECT_FALSE(lookup_at(*table, ids_of({7}), 8).rows[0].absent());
  EXPECT_EQ(table->statistics().not_admitted, 2);
}

TEST(Eviction, SmallBatchesSweepEveryShard) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_steps = 1;
  const auto table = make_table(schema, {});
  for (std::int64_t step = 0; step < 1000; ++step)
    (void)lookup_at(
        *table, ids_between(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(step) + 1), step);
  EXPECT_LE(table->statistics().rows, 30);
  (void)lookup_at(*table, {}, 2000);  // a step without any id of this table
  for (std::int64_t step = 2001; step < 2030; ++step) (void)lookup_at(*table, {}, step);
  EXPECT_EQ(table->statistics().rows, 0);
}

TEST(Eviction, RowsNotUsedForTooLongAreAbsent) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_steps = 10;
  schema.table.optimizer.learning_rate = 1;
  const auto table = make_table(schema, {});
  const Answer fresh = lookup_at(*table, ids_of({7, 8}), 0);
  table->update(fresh.rows, std::vector<float>{5, 6}, Step(0));
  (void)lookup_at(*table, ids_of({8}), 5);
  EXPECT_EQ(lookup_at(*table, ids_of({7}), 10, Purpose::evaluate).values[0], fresh.values[0] - 5);
  EXPECT_TRUE(lookup_at(*table, ids_of({7}), 11, Purpose::evaluate).rows[0].absent());
  const Answer again = lookup_at(*table, ids_of({7, 8}), 11);
  EXPECT_EQ(again.values[0], fresh.values[0]);
  EXPECT_EQ(again.values[1], fresh.values[1] - 6);
  EXPECT_EQ(table->statistics().evicted, 1);
}

TEST(Eviction, RowsGrowOldInSecondsToo) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_seconds = 100;
  schema.table.optimizer.learning_rate = 1;
  double now = 5000;
  const auto table = make_table(schema, {.clock = [&] { return now; }});
  const Answer fresh = lookup_at(*table, ids_of({7, 8}), 1);
  table->update(fresh.rows, std::vector<float>{5, 6}, Step(1));
  now += 2;
  (void)lookup_at(*table, ids_of({8}), 2);
  now += 97;
  (void)lookup_at(*table, ids_of({9}), 3);
  EXPECT_EQ(table->statistics().rows, 3);
  now += 4;
  const Answer again = lookup_at(*table, ids_of({7, 8}), 4);
  EXPECT_EQ(again.values[0], fresh.values[0]);
  EXPECT_EQ(again.values[1], fresh.values[1] - 6);
  EXPECT_EQ(table->statistics().evicted, 1);
}

TEST(Eviction, EvaluationsAndSavesAreNoTimeInWhichRowsGrowOld) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_seconds = 10;
  double now = 0;
  const auto table = make_table(schema, {.clock = [&] { return now; }});
  std::int64_t step = 0;
  for (; step < 20; ++step, now += 0.4)
    (void)lookup_at(*table, ids_of({static_cast<std::uint64_t>(step)}), step);
  for (int pause = 0; pause < 3; ++pause) {
    if (pause == 1)
      (void)ids_in(*table);
    else
      (void)lookup_at(*table, ids_of({1, 2}), step, Purpose::evaluate);
    now += 1000;
    (void)lookup_at(*table, ids_of({100}), ++step);
  }
  EXPECT_EQ(table->statistics().rows, 21);
  for (int i = 0; i < 100; ++i, now += 0.4) (void)lookup_at(*table, ids_of({100}), ++step);
  EXPECT_EQ(table->statistics().rows, 1);
}

// What is in use stays, however long its step takes.
TEST(Eviction, ARowUnderAnOpenTokenDoesNotGrowOld) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_seconds = 10;
  double now = 0;
  const auto table = make_table(schema, {.clock = [&] { return now; }});
  const auto ids = ids_of({7});
  std::vector<float> values(1);
  std::vector<Row> rows(1);
  for (std::int64_t step = 5; step < 50; ++step, now += 5)
    table->lookup(step == 5 ? ids : ids_of({8}), Purpose::train, values, rows, {Step(step), Step(5)});
  EXPECT_EQ(table->statistics().rows, 2);
  (void)lookup_at(*table, ids_of({8}), 50);
  now += 11;
  for (std::int64_t step = 51; step < 90; ++step) (void)lookup_at(*table, ids_of({8}), step);
  EXPECT_EQ(table->statistics().rows, 1);
}

TEST(Eviction, RowsNotUsedForTooLongGiveTheirMemoryBack) {
  auto schema = evicting(EvictionPolicy::none, 0);
  schema.table.eviction.ttl_steps = 10;
  const auto table = make_table(schema, {});
  for (std::int64_t step = 0; step < 1000; ++step)
    (void)lookup_at(
        *table,
        ids_between(100 * static_cast<std::uint64_t>(step), 100 * static_cast<std::uint64_t>(step) + 100),
        step);
  EXPECT_LE(table->statistics().rows, 5000);
  EXPECT_EQ(table->statistics().rows + table->statistics().evicted, 100000);
}

}  // namespace
}  // namespace persia::table
