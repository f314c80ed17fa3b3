#include "table/eviction.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "evicting.hpp"
#include "table/open_steps.hpp"
#include "trace.hpp"

namespace persia::table {
namespace {

using config::EvictionPolicy;

// Share of look-ups that found their row, of the second half of a Zipf trace; of the table and of an exact
// cache that sees the same ids.
template <class Exact>
std::pair<double, double> hit_rates(EvictionPolicy policy, double exponent) {
  constexpr std::int64_t capacity = 8000;
  constexpr std::uint64_t batches = 3000;
  const ZipfTrace trace(200000, exponent);
  const auto table = make_table(evicting(policy, capacity), {});
  Exact exact(capacity);
  double looked_up = 0;
  double hits = 0;
  double exact_hits = 0;
  const auto created = [&] { return table->statistics().rows + table->statistics().evicted; };
  for (std::uint64_t number = 0; number < batches; ++number) {
    const std::vector<FeatureId> ids = trace.batch(number, 100);
    const std::int64_t before = created();
    (void)lookup_at(*table, ids, static_cast<std::int64_t>(number));
    std::int64_t exact_found = 0;
    for (const FeatureId id : ids) exact_found += exact.use(id) ? 1 : 0;
    if (number < batches / 2) continue;
    looked_up += static_cast<double>(ids.size());
    hits += static_cast<double>(ids.size()) - static_cast<double>(created() - before);
    exact_hits += static_cast<double>(exact_found);
  }
  return {hits / looked_up, exact_hits / looked_up};
}

TEST(Eviction, HitRateOfLruIsWithinTwoPercentOfAnExactOne) {
  for (const double exponent : {0.8, 1.05}) {
    const auto [own, exact] = hit_rates<ExactLru>(EvictionPolicy::lru, exponent);
    RecordProperty("exponent_" + std::to_string(exponent), fmt::format("{:.4f} {:.4f}", own, exact));
    EXPECT_NEAR(own, exact, 0.02 * exact) << exponent;
  }
}

TEST(Eviction, HitRateOfLfuIsWithinTwoPercentOfAnExactOne) {
  for (const double exponent : {0.8, 1.05}) {
    const auto [own, exact] = hit_rates<ExactLfu>(EvictionPolicy::lfu, exponent);
    RecordProperty("exponent_" + std::to_string(exponent), fmt::format("{:.4f} {:.4f}", own, exact));
    EXPECT_NEAR(own, exact, 0.02 * exact) << exponent;
  }
}

TEST(Eviction, RowsStayWithinTheLimitAndAreCounted) {
  for (const std::int64_t limit : {16, 1000, 5000}) {
    const auto table = make_table(evicting(EvictionPolicy::lru, limit), {});
    for (std::int64_t step = 0; step < 2000; ++step)
      (void)lookup_at(
          *table,
          ids_between(10 * static_cast<std::uint64_t>(step), 10 * static_cast<std::uint64_t>(step) + 10),
          step);
    const TableStatistics now = table->statistics();
    EXPECT_LE(now.rows, limit + 16 + 10) << limit;  // shares are rounded up, ten are in use
    EXPECT_GE(now.rows, limit * 9 / 10) << limit;
    EXPECT_EQ(now.rows + now.evicted, 20000) << limit;
    EXPECT_EQ(ids_in(*table).size(), static_cast<std::size_t>(now.rows)) << limit;
  }
}

TEST(Eviction, OwnersShareTheLimit) {
  EXPECT_EQ(rows_per_shard(evicting(EvictionPolicy::lru, 16000).table, 1), 1000);
  EXPECT_EQ(rows_per_shard(evicting(EvictionPolicy::lru, 16000).table, 10), 100);
  EXPECT_EQ(rows_per_shard(evicting(EvictionPolicy::lru, 5).table, 4), 1);
  EXPECT_EQ(rows_per_shard(evicting(EvictionPolicy::none, 0).table, 4), 0);
}

TEST(Eviction, MemoryStaysWithinTheLimitOfBytes) {
  auto schema = evicting(EvictionPolicy::lfu, 0, 16);
  schema.table.eviction.max_bytes = 64 << 20;
  const auto table = make_table(schema, {});
  for (std::int64_t step = 0; step < 1000; ++step)
    (void)lookup_at(
        *table,
        ids_between(1000 * static_cast<std::uint64_t>(step), 1000 * static_cast<std::uint64_t>(step) + 1000),
        step);
  const TableStatistics now = table->statistics();
  EXPECT_GT(now.evicted, 0);
  EXPECT_LE(static_cast<double>(now.resident_bytes), 1.02 * (64 << 20));
  EXPECT_GE(static_cast<double>(now.resident_bytes), 0.90 * (64 << 20));
}

// Ids come again and again in random order; tokens of the last few steps are open. Each open token's rows
// must still be those of its ids.
TEST(Eviction, NeverTakesARowUnderAnOpenToken) {
  for (const EvictionPolicy policy :
       {EvictionPolicy::lru, EvictionPolicy::lfu, EvictionPolicy::lowest_norm}) {
    const auto table = make_table(evicting(policy, 300), {});
    std::map<std::int64_t, std::pair<std::vector<FeatureId>, Answer>> open;
    OpenSteps steps;
    std::map<FeatureId, float> expected;  // of ids in open tokens
    for (std::int64_t step = 0; step < 3000; ++step) {
      std::vector<FeatureId> ids;
      for (std::uint64_t k = 0; k < 20; ++k)
        ids.emplace_back(100 * k + random_below(5, static_cast<std::uint64_t>(step), k, 100));
      Answer answer{std::vector<float>(ids.size()), std::vector<Row>(ids.size())};
      table->lookup(ids, Purpose::train, answer.values, answer.rows, steps.moment_of(Step(step)));
      steps.open(Step(step));
      open.emplace(step, std::pair(ids, answer));
      // The oldest or the youngest of them closes.
      const std::uint64_t window = random_below(6, static_cast<std::uint64_t>(step), 0, 8);
      while (open.size() > window) {
        const auto closing = step % 2 == 0 ? open.begin() : std::prev(open.end());
        const Answer again = lookup_at(*table, closing->second.first, step, Purpose::evaluate);
        ASSERT_EQ(again.rows, closing->second.second.rows) << step;
        table->update(closing->second.second.rows, gradients_of(ids.size(), static_cast<std::uint64_t>(step)),
                      Step(closing->first));
        steps.close(Step(closing->first));
        open.erase(closing);
      }
    }
    EXPECT_GT(table->statistics().evicted, 10000);
  }
}

TEST(Eviction, AShardThatOutgrewItsShareComesBack) {
  const auto table = make_table(evicting(EvictionPolicy::lru, 160), {});
  (void)lookup_at(*table, ids_between(0, 2000), 0);  // all in use at once
  EXPECT_EQ(table->statistics().rows, 2000);
  for (std::int64_t step = 1; step < 4000; ++step)
    (void)lookup_at(
        *table,
        ids_between(10000 + static_cast<std::uint64_t>(step), 10001 + static_cast<std::uint64_t>(step)),
        step);
  EXPECT_LE(table->statistics().rows, 176);
}

TEST(Eviction, ATableAboveItsLimitComesToItWithoutNewIds) {
  auto table = make_table(evicting(EvictionPolicy::none, 0), {});
  (void)lookup_at(*table, ids_between(0, 6000), 0);
  auto limited = make_table(evicting(EvictionPolicy::lru, 800), {});
  table->for_each_block(1000, [&](const Table::Block& block) {
    const std::vector<float> used(block.ids.size(), 0.0F);
    limited->insert_block({block.ids, block.values, used});
  });
  for (std::int64_t step = 1; step < 40; ++step) (void)lookup_at(*limited, ids_between(0, 3), step);
  EXPECT_LE(limited->statistics().rows, 816);
  EXPECT_EQ(limited->statistics().rows + limited->statistics().evicted, 6000);
  EXPECT_FALSE(lookup_at(*limited, ids_of({1}), 40, Purpose::evaluate).rows[0].absent());
}

TEST(Eviction, RowsTooLongForANormGoToo) {
  auto schema = evicting(EvictionPolicy::lowest_norm, 16);
  schema.table.init = {.type = config::InitType::constant, .value = 1e20};
  const auto table = make_table(schema, {});
  for (std::int64_t step = 0; step < 500; ++step)
    (void)lookup_at(
        *table, ids_between(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(step) + 1), step);
  EXPECT_LE(table->statistics().rows, 40);
}

TEST(Eviction, AnyLimitThatMayBeWrittenCanBeReckonedWith) {
  auto table = evicting(EvictionPolicy::lru, 1'000'000'000'000'000).table;
  EXPECT_GT(rows_per_shard(table, 1), 1'000'000'000);
  table.eviction.max_rows = 0;
  table.eviction.max_bytes = 1'000'000'000'000'000;
  EXPECT_GT(rows_per_shard(table, 1), 1'000'000'000);
  table.eviction.max_bytes = 1;
  EXPECT_EQ(rows_per_shard(table, 1), 1);
}

TEST(Eviction, TheShortestRowsGoFirst) {
  auto schema = evicting(EvictionPolicy::lowest_norm, 1600, 2);
  schema.table.init = {.type = config::InitType::constant, .value = 1};
  schema.table.optimizer.learning_rate = 1;
  const auto table = make_table(schema, {});
  // The first 800 get longer, the others much shorter.
  const Answer first = lookup_at(*table, ids_between(0, 1600), 0);
  std::vector<float> gradients(3200, -1.0F);
  std::fill(gradients.begin() + 1600, gradients.end(), 0.9F);
  table->update(first.rows, gradients, Step(0));
  for (std::int64_t step = 1; step <= 700; ++step)
    (void)lookup_at(
        *table,
        ids_between(10000 + static_cast<std::uint64_t>(step), 10001 + static_cast<std::uint64_t>(step)),
        step);
  std::int64_t long_ones = 0;
  for (const std::uint64_t id : ids_in(*table)) long_ones += id < 800 ? 1 : 0;
  EXPECT_GE(long_ones, 795);
}

TEST(Eviction, UsesAgeWithTheirHalfLife) {
  auto schema = evicting(EvictionPolicy::lfu, 16);
  schema.table.eviction.half_life_steps = 10;
  const auto table = make_table(schema, {});
  (void)lookup_at(*table, ids_of({3}), 0);
  (void)lookup_at(*table, ids_of({3}), 10);
  (void)lookup_at(*table, ids_of({3}), 30);
  std::vector<float> state;
  table->for_each_block(
      10, [&](const Table::Block& block) { state.assign(block.state.begin(), block.state.end()); });
  EXPECT_THAT(state, ::testing::ElementsAre(30, 1.375));  // (1 / 2 + 1) / 4 + 1
  EXPECT_THAT(state_names(schema.table), ::testing::ElementsAre("last_use", "uses"));
}

TEST(Eviction, TheJournalTellsIdStepValuesAndState) {
  auto schema = evicting(EvictionPolicy::lru, 16, 3);
  schema.table.optimizer.type = config::OptimizerType::rowwise_adagrad;
  schema.table.precision = config::Precision::fp16;
  std::map<std::uint64_t, std::vector<float>> told;
  std::vector<std::int64_t> steps;
  const auto table = make_table(schema, {.on_evicted = [&](const EvictedRow& row) {
                                  ASSERT_EQ(row.schema.name, "items");
                                  ASSERT_EQ(row.state.size(), state_names(row.schema.table).size());
                                  told[row.id.value()].assign(row.values.begin(), row.values.end());
                                  steps.push_back(row.step.value());
                                }});
  std::map<std::uint64_t, std::vector<float>> known;
  for (std::uint64_t id = 0; id < 200; ++id) {
    const auto step = static_cast<std::int64_t>(id);
    table->update(lookup_at(*table, ids_of({id}), step).rows, gradients_of(3, id), Step(step));
    known[id] = lookup_at(*table, ids_of({id}), step, Purpose::evaluate).values;
  }
  EXPECT_EQ(static_cast<std::int64_t>(told.size()), table->statistics().evicted);
  EXPECT_GT(told.size(), 100U);
  for (const auto& [id, values] : told) EXPECT_EQ(values, known[id]) << id;
  EXPECT_TRUE(std::ranges::is_sorted(steps));
}

// A table that is saved and loaded half way ends with the same rows, to the bit.
TEST(Eviction, GoesOnTheSameAfterSaveAndLoad) {
  for (const EvictionPolicy policy :
       {EvictionPolicy::lru, EvictionPolicy::lfu, EvictionPolicy::lowest_norm}) {
    const auto schema = evicting(policy, 2000, 2);
    const ZipfTrace trace(20000, 0.8);
    const auto run = [&](bool pauses) {
      auto table = make_table(schema, {});
      for (std::int64_t step = 0; step < 600; ++step) {
        const auto ids = trace.batch(static_cast<std::uint64_t>(step), 60);
        const Answer answer = lookup_at(*table, ids, step);
        table->update(answer.rows, gradients_of(2 * ids.size(), static_cast<std::uint64_t>(step)),
                      Step(step));
        if (!pauses || step != 300) continue;
        auto loaded = make_table(schema, {});
        table->for_each_block(77, [&](const Table::Block& block) { loaded->insert_block(block); });
        table = std::move(loaded);
      }
      std::vector<std::byte> all;
      table->for_each_block(1000, [&](const Table::Block& block) {
        const auto append = [&](std::span<const std::byte> bytes) {
          all.insert(all.end(), bytes.begin(), bytes.end());
        };
        append(std::as_bytes(block.ids));
        append(block.values);
        append(std::as_bytes(block.state));
      });
      return all;
    };
    EXPECT_EQ(run(false), run(true)) << static_cast<int>(policy);
  }
}

}  // namespace
}  // namespace persia::table
