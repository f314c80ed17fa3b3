#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "every.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

std::unique_ptr<Table> copy_of(const Table& table, std::int64_t block_rows) {
  auto copy = make_table(table.schema(), {.seed = 1});
  table.for_each_block(block_rows, [&](const Table::Block& block) { copy->insert_block(block); });
  return copy;
}

struct Content {
  std::vector<FeatureId> ids;
  std::vector<std::byte> values, state;
  bool operator==(const Content&) const = default;
};

Content content_of(const Table& table) {
  Content content;
  table.for_each_block(1000, [&](const Table::Block& block) {
    content.ids.insert(content.ids.end(), block.ids.begin(), block.ids.end());
    content.values.insert(content.values.end(), block.values.begin(), block.values.end());
    const auto state = std::as_bytes(block.state);
    content.state.insert(content.state.end(), state.begin(), state.end());
  });
  return content;
}

// Looks up a changing set of ids and updates their rows.
void train(Table& table, std::uint64_t first_step, std::uint64_t last_step) {
  for (std::uint64_t step = first_step; step < last_step; ++step) {
    const auto ids = ids_between(10 * step, 10 * step + 500);
    const Answer answer = lookup(table, ids);
    table.update(answer.rows, gradients_of(answer.values.size(), step), Step(0));
  }
}

TEST(Blocks, ALoadedTableContinuesBitIdentically) {
  for (const auto type : testing::every<config::OptimizerType>())
    for (const auto precision : testing::every<config::Precision>())
      for (const auto state_precision : testing::every<config::StatePrecision>()) {
        auto schema = schema_with(type, precision, 9);
        schema.table.optimizer.initial_accumulator = 0.1;
        schema.table.state_precision = state_precision;
        const auto straight = make_table(schema, {.seed = 1});
        train(*straight, 0, 10);
        const auto resumed = copy_of(*straight, 37);
        train(*straight, 10, 20);
        train(*resumed, 10, 20);
        EXPECT_EQ(content_of(*straight), content_of(*resumed)) << static_cast<int>(type);
      }
}

TEST(Blocks, HoldEveryRowOnceAtEveryMomentOfGrowth) {
  const auto table =
      make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1), {.seed = 1});
  for (std::uint64_t end = 0; end < 20000; end += 197) {
    (void)lookup(*table, ids_between(end, end + 197));
    auto ids = content_of(*table).ids;
    std::ranges::sort(ids);
    ASSERT_EQ(ids, ids_between(0, end + 197));
    ASSERT_EQ(table->statistics().rows, static_cast<std::int64_t>(end + 197));
    (void)lookup(*table, ids, Purpose::evaluate);
    ASSERT_EQ(table->statistics().unseen, 0);
  }
}

TEST(Blocks, HoldAtMostTheRowsAskedAndEveryRowOnce) {
  const auto table =
      make_table(schema_with(config::OptimizerType::adam, config::Precision::bf16, 3), {.seed = 1});
  (void)lookup(*table, ids_between(0, 1000));
  for (const std::int64_t block_rows : {1, 7, 1000, 5000}) {
    std::int64_t rows = 0;
    table->for_each_block(block_rows, [&](const Table::Block& block) {
      const auto size = static_cast<std::int64_t>(block.ids.size());
      EXPECT_LE(size, block_rows);
      EXPECT_EQ(block.values.size(), block.ids.size() * static_cast<std::size_t>(table->value_bytes()));
      EXPECT_EQ(block.state.size(), block.ids.size() * static_cast<std::size_t>(table->state_floats()));
      rows += size;
    });
    EXPECT_EQ(rows, 1000);
  }
}

TEST(Blocks, AnEmptyTableHasNone) {
  const auto table =
      make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 3), {.seed = 1});
  table->for_each_block(10, [](const Table::Block&) { FAIL(); });
}

TEST(Blocks, AnIdThatIsThereAlreadyIsAnError) {
  const auto table =
      make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 3), {.seed = 1});
  (void)lookup(*table, ids_of({18446744073709551615ULL}));
  try {
    table->for_each_block(10, [&](const Table::Block& block) { table->insert_block(block); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "table 'items' was given id 18446744073709551615 twice");
  }
}

}  // namespace
}  // namespace persia::table
