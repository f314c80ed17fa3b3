// Tables that keep most of their rows on disk: the same bits as tables in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/block_file.hpp"
#include "base/log.hpp"
#include "base/thread_team.hpp"
#include "every.hpp"
#include "table_maker.hpp"
#include "trace.hpp"

namespace persia::table {
namespace {

using config::EvictionPolicy;
using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::string_literals;

// A table of its own threads, with at most max_rows in memory.
class TwoTiers {
 public:
  TwoTiers(config::TableSchema schema, EvictionPolicy policy, std::int64_t max_rows, std::int32_t threads = 1)
      : team_(threads), disk_team_(3) {
    schema.table.eviction = {.policy = policy, .max_rows = max_rows};
    schema.table.eviction.directory = std::filesystem::temp_directory_path();
    table_ = make_table(
        schema, {.team = &team_, .disk_folder = schema.table.eviction.directory, .disk_team = &disk_team_});
  }
  Table& operator*() { return *table_; }
  Table* operator->() { return table_.get(); }

 private:
  ThreadTeam team_, disk_team_;
  std::unique_ptr<Table> table_;
};

struct WholeRow {
  std::vector<std::byte> values;
  std::vector<float> state;  // without the usage
  bool operator==(const WholeRow&) const = default;
};

std::map<FeatureId, WholeRow> rows_of(const Table& table, std::size_t usage_floats) {
  std::map<FeatureId, WholeRow> rows;
  table.for_each_block(99, [&](const Table::Block& block) {
    const std::size_t value_bytes = block.values.size() / block.ids.size();
    const std::size_t state_floats = block.state.size() / block.ids.size();
    for (std::size_t i = 0; i < block.ids.size(); ++i) {
      const auto values = block.values.subspan(i * value_bytes, value_bytes);
      const auto state = block.state.subspan(i * state_floats, state_floats - usage_floats);
      const bool is_new = rows.try_emplace(block.ids[i], WholeRow{{values.begin(), values.end()},
                                                                  {state.begin(), state.end()}})
                              .second;
      EXPECT_TRUE(is_new) << block.ids[i].value();
    }
  });
  return rows;
}

void train_both(Table& in_memory, Table& on_disk, std::uint64_t batches, std::size_t batch_size) {
  const ZipfTrace trace(6000, 0.6);
  for (std::uint64_t number = 0; number < batches; ++number) {
    const std::vector<FeatureId> ids = trace.batch(number, batch_size);
    const auto step = static_cast<std::int64_t>(number);
    const Answer expected = lookup_at(in_memory, ids, step);
    const Answer answer = lookup_at(on_disk, ids, step);
    ASSERT_EQ(answer.values, expected.values) << "batch " << number;
    const auto gradients = gradients_of(expected.values.size(), number);
    in_memory.update(expected.rows, gradients, Step(step));
    on_disk.update(answer.rows, gradients, Step(step));
  }
}

TEST(ColdTable, TrainsToTheBitsOfATableInMemory) {
  for (const auto precision : testing::every<config::Precision>())
    for (const auto& [policy, usage] : {std::pair{EvictionPolicy::lru, 1}, {EvictionPolicy::lfu, 2}})
      for (const std::int32_t threads : {1, 3}) {
        const auto schema = schema_with(config::OptimizerType::adam, precision, 5);
        const auto in_memory = make_table(schema, {});
        TwoTiers on_disk(schema, policy, 800, threads);
        ASSERT_NO_FATAL_FAILURE(train_both(*in_memory, *on_disk, 40, threads == 1 ? 300 : 1500));
        const TableStatistics now = on_disk->statistics();
        EXPECT_EQ(now.rows, in_memory->statistics().rows);
        EXPECT_GE(now.disk_rows, now.rows - 1700);  // a batch may need more than the limit
        EXPECT_GT(now.found_on_disk, 1000);
        EXPECT_GT(now.found_in_memory, 1000);
        EXPECT_EQ(now.evicted, 0);
        EXPECT_EQ(rows_of(*on_disk, static_cast<std::size_t>(usage)), rows_of(*in_memory, 0));
      }
}

TEST(ColdTable, CountsWhereEachRowWasFound) {
  TwoTiers table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 2), EvictionPolicy::lru,
                 16);
  for (std::int64_t step = 0; step < 10; ++step)
    (void)lookup_at(
        *table,
        ids_between(static_cast<std::uint64_t>(step) * 100, static_cast<std::uint64_t>(step) * 100 + 100),
        step);
  EXPECT_EQ(table->statistics().found_in_memory + table->statistics().found_on_disk, 0);
  (void)lookup_at(*table, ids_between(0, 50), 20);
  (void)lookup_at(*table, ids_between(0, 50), 21);
  EXPECT_EQ(table->statistics().found_on_disk, 50);
  EXPECT_EQ(table->statistics().found_in_memory, 50);
  EXPECT_EQ(table->statistics().rows, 1000);
}

TEST(ColdTable, EvaluationLeavesRowsWhereTheyAre) {
  const auto schema = schema_with(config::OptimizerType::rowwise_adagrad, config::Precision::fp16, 3);
  const auto in_memory = make_table(schema, {});
  TwoTiers on_disk(schema, EvictionPolicy::lru, 100);
  ASSERT_NO_FATAL_FAILURE(train_both(*in_memory, *on_disk, 20, 100));
  const TableStatistics before = on_disk->statistics();
  const auto ids = ids_between(0, 7000);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(lookup_at(*on_disk, ids, 30, Purpose::evaluate).values,
              lookup_at(*in_memory, ids, 30, Purpose::evaluate).values);
  const TableStatistics after = on_disk->statistics();
  EXPECT_EQ(after.disk_rows, before.disk_rows);
  EXPECT_EQ(after.found_on_disk, before.found_on_disk);
  EXPECT_EQ(after.unseen, in_memory->statistics().unseen);
}

// More open tokens than memory has rows for: all rows stay where their gradients will find them.
TEST(ColdTable, RowsUnderOpenTokensStayInMemory) {
  const auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1);
  const auto in_memory = make_table(schema, {});
  TwoTiers on_disk(schema, EvictionPolicy::lru, 64);
  (void)lookup_at(*in_memory, ids_between(0, 3000), 0);
  (void)lookup_at(*on_disk, ids_between(0, 3000), 0);
  std::vector<Answer> open;
  for (std::uint64_t token = 0; token < 10; ++token) {
    Answer answer{std::vector<float>(300), std::vector<Row>(300)};
    on_disk->lookup(ids_between(300 * token, 300 * token + 300), Purpose::train, answer.values, answer.rows,
                    {Step(1 + static_cast<std::int64_t>(token)), Step(1)});
    open.push_back(std::move(answer));
  }
  for (std::uint64_t token = 10; token-- > 0;) {
    on_disk->update(open[token].rows, gradients_of(300, token), Step(1));
    const Answer same = lookup_at(*in_memory, ids_between(300 * token, 300 * token + 300), 1);
    in_memory->update(same.rows, gradients_of(300, token), Step(1));
  }
  for (std::int64_t step = 20; step < 300; ++step) (void)lookup_at(*on_disk, ids_between(0, 3), step);
  EXPECT_GE(on_disk->statistics().disk_rows, 2800);
  EXPECT_EQ(rows_of(*on_disk, 1), rows_of(*in_memory, 0));
}

TEST(ColdTable, LoadsWhatMemoryDoesNotHoldToDisk) {
  const auto schema = schema_with(config::OptimizerType::adagrad, config::Precision::bf16, 7);
  TwoTiers first(schema, EvictionPolicy::lfu, 200);
  const auto in_memory = make_table(schema, {});
  ASSERT_NO_FATAL_FAILURE(train_both(*in_memory, *first, 20, 200));
  TwoTiers second(schema, EvictionPolicy::lfu, 100);
  first->for_each_block(50, [&](const Table::Block& block) { second->insert_block(block); });
  EXPECT_EQ(rows_of(*second, 2), rows_of(*first, 2));
  EXPECT_EQ(second->statistics().disk_rows, second->statistics().rows - 112);  // 7 of each shard
  ASSERT_NO_FATAL_FAILURE(train_both(*in_memory, *second, 10, 200));
  EXPECT_THROW(first->for_each_block(50, [&](const Table::Block& block) { second->insert_block(block); }),
               std::exception);
}

// Which file systems cannot, depends on the machine: memory as a disk could not for long.
TEST(ColdTable, TellsWhenItsFileGoesThroughThePageCache) {
  for (const std::filesystem::path folder : {std::filesystem::temp_directory_path().string(), "/dev/shm"s}) {
    auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 4);
    schema.table.eviction = {.policy = EvictionPolicy::lru, .max_rows = 100};
    schema.table.eviction.directory = folder.string();
    ThreadTeam team(1);
    ::testing::internal::CaptureStderr();
    set_log_speaker("");
    (void)make_table(schema, {.disk_folder = folder, .disk_team = &team});
    log::default_logger()->flush();
    const std::string said = ::testing::internal::GetCapturedStderr();
    if (BlockFile(folder, kBlockAlignment).direct())
      EXPECT_EQ(said, "");
    else
      EXPECT_THAT(said, AllOf(HasSubstr("table 'items'"),
                              HasSubstr(folder.string() + " (eviction.directory)"), HasSubstr("page cache")));
  }
}

}  // namespace
}  // namespace persia::table
