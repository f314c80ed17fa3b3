// A team of threads on one table: the same bits as one thread.
#include <gtest/gtest.h>

#include "base/thread_team.hpp"
#include "table_maker.hpp"
#include "trace.hpp"

namespace persia::table {
namespace {

struct Rules {
  bool evicts;
  bool admits_all;
};

config::TableSchema shared_schema(Rules rules) {
  auto schema = schema_with(config::OptimizerType::rowwise_adagrad, config::Precision::fp16, 5);
  if (rules.evicts) {
    schema.table.eviction.policy = config::EvictionPolicy::lfu;
    schema.table.eviction.max_rows = 3000;
    schema.table.eviction.ttl_steps = 30;
  }
  if (!rules.admits_all)
    schema.table.admission = {.policy = config::AdmissionPolicy::sightings, .sightings = 2};
  return schema;
}

struct Outcome {
  std::vector<float> values;
  std::vector<std::byte> rows;
  std::int64_t evicted = 0, not_admitted = 0, unseen = 0, told = 0;
  bool operator==(const Outcome&) const = default;
};

void append(std::vector<std::byte>& all, std::span<const std::byte> bytes) {
  all.insert(all.end(), bytes.begin(), bytes.end());
}

// Batches of some thousand ids, trained; the last look-up and all rows in their order.
Outcome train(const config::TableSchema& schema, ThreadTeam* team) {
  Outcome outcome;
  const auto table =
      make_table(schema, {.on_evicted = [&](const EvictedRow&) { ++outcome.told; }, .team = team});
  const ZipfTrace trace(20000, 0.7);
  for (std::uint64_t number = 0; number < 35; ++number) {
    const std::vector<FeatureId> ids = trace.batch(number, number % 7 == 0 ? 100 : 4000);
    const Step step(static_cast<std::int64_t>(number));
    std::vector<float> values(ids.size() * 5);
    std::vector<Row> rows(ids.size());
    table->lookup(ids, Purpose::train, values, rows, {step, step});
    table->update(rows, gradients_of(values.size(), number), step);
    table->lookup(ids, Purpose::evaluate, values, rows, {step, step});
    outcome.values = values;
  }
  table->for_each_block(1000, [&](const Table::Block& block) {
    append(outcome.rows, std::as_bytes(block.ids));
    append(outcome.rows, block.values);
    append(outcome.rows, std::as_bytes(block.state));
  });
  const TableStatistics now = table->statistics();
  outcome.evicted = now.evicted;
  outcome.not_admitted = now.not_admitted;
  outcome.unseen = now.unseen;
  return outcome;
}

TEST(Sharing, AnyNumberOfThreadsGivesTheSameBits) {
  for (const Rules rules : {Rules{false, true}, Rules{false, false}, Rules{true, false}}) {
    const Outcome alone = train(shared_schema(rules), nullptr);
    EXPECT_EQ(alone.told, alone.evicted);
    EXPECT_EQ(alone.evicted > 1000, rules.evicts);
    EXPECT_EQ(alone.not_admitted > 1000, !rules.admits_all);
    for (const std::int32_t size : {2, 3, 20}) {
      ThreadTeam team(size);
      EXPECT_TRUE(train(shared_schema(rules), &team) == alone)
          << size << " threads, evicts " << rules.evicts << ", admits all " << rules.admits_all;
    }
  }
}

TEST(Sharing, TheFirstGradientThatIsNotFiniteIsTheFirstOfTheBatch) {
  ThreadTeam team(4);
  const auto table = make_table(shared_schema({false, true}), {.team = &team});
  const Answer answer = lookup(*table, ids_between(0, 5000));
  std::vector<float> gradients(25000, 0.1F);
  for (const std::size_t i : {4000UL, 1234UL, 3000UL, 2500UL}) gradients[5 * i + 2] = INFINITY;
  table->update(answer.rows, gradients, Step(0));
  EXPECT_EQ(table->statistics().non_finite, 4);
  EXPECT_EQ(table->statistics().first_non_finite, FeatureId(1234));
}

}  // namespace
}  // namespace persia::table
