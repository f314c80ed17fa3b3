// Tables that evict, through growth, erasure, open tokens, save and load, with 1, 2 and 8 threads, against a
// plain map that is told which rows go; rows that go to disk do not. PERSIA_FUZZ_OPERATIONS makes it longer
// (rows looked up and updated, over all cases).
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/random.hpp"
#include "base/thread_team.hpp"
#include "table/open_steps.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

using config::EvictionPolicy;

std::int64_t wanted_operations() {
  const char* const given = std::getenv("PERSIA_FUZZ_OPERATIONS");
  return given == nullptr ? 400'000 : std::stoll(given);
}

struct FuzzCase {
  EvictionPolicy policy;
  std::int64_t max_rows = 0, ttl_steps = 0;
  bool on_disk = false;
  std::int32_t threads = 1;
};

config::TableSchema fuzzed(const FuzzCase& one) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1);
  schema.table.init = {.type = config::InitType::constant, .value = 1};
  schema.table.optimizer.learning_rate = 1;
  schema.table.eviction.policy = one.policy;
  schema.table.eviction.max_rows = one.max_rows;
  schema.table.eviction.ttl_steps = one.ttl_steps;
  if (one.on_disk) schema.table.eviction.directory = std::filesystem::temp_directory_path();
  return schema;
}

class EvictionFuzz {
 public:
  EvictionFuzz(const FuzzCase& one, std::uint64_t seed)
      : case_(one), schema_(fuzzed(one)), seed_(seed), team_(one.threads), disk_team_(4) {
    table_ = make();
  }

  // Looks up a batch, which opens a token, and closes some of the open ones in any order.
  void step() {
    const std::vector<FeatureId> ids = draw_ids();
    Answer answer{std::vector<float>(ids.size()), std::vector<Row>(ids.size())};
    const Moment when = steps_.moment_of(Step(now_));
    table_->lookup(ids, Purpose::train, answer.values, answer.rows, when);
    steps_.open(Step(now_));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ASSERT_FALSE(answer.rows[i].absent());
      ASSERT_EQ(answer.values[i], rows_.try_emplace(ids[i], 1.0F).first->second) << ids[i].value();
    }
    for (const FeatureId id : ids) ++tokens_of_[id];
    open_.push_back({now_, ids, answer.rows});
    ++now_;
    operations_ += static_cast<std::int64_t>(ids.size());
    while (open_.size() > random_below(seed_, 4, static_cast<std::uint64_t>(now_), 9))
      ASSERT_NO_FATAL_FAILURE(close_one());
    ASSERT_EQ(table_->statistics().rows, static_cast<std::int64_t>(rows_.size()));
  }

  // Every row is where the map has it, and nothing else is there.
  void check_all() {
    std::size_t found = 0;
    table_->for_each_block(500, [&](const Table::Block& block) {
      for (std::size_t i = 0; i < block.ids.size(); ++i, ++found) {
        ASSERT_TRUE(rows_.contains(block.ids[i]));
        float value;
        std::memcpy(&value, block.values.data() + i * sizeof value, sizeof value);
        ASSERT_EQ(value, rows_.at(block.ids[i]));
      }
    });
    ASSERT_EQ(found, rows_.size());
  }

  void save_and_load() {
    while (!open_.empty()) ASSERT_NO_FATAL_FAILURE(close_one());
    std::unique_ptr<Table> loaded = make();
    table_->for_each_block(333, [&](const Table::Block& block) { loaded->insert_block(block); });
    gone_ += table_->statistics().found_on_disk;
    table_ = std::move(loaded);
  }

  [[nodiscard]] std::int64_t operations() const { return operations_; }
  // Rows that went, or came back from disk.
  [[nodiscard]] std::int64_t gone() const { return gone_ + table_->statistics().found_on_disk; }

 private:
  struct Open {
    std::int64_t step;
    std::vector<FeatureId> ids;
    std::vector<Row> rows;
  };

  std::unique_ptr<Table> make() {
    return make_table(schema_, {.on_evicted =
                                    [this](const EvictedRow& row) {
                                      ++gone_;
                                      ASSERT_FALSE(case_.on_disk);
                                      ASSERT_TRUE(rows_.contains(row.id)) << row.id.value();
                                      ASSERT_EQ(row.values[0], rows_.at(row.id));
                                      ASSERT_FALSE(tokens_of_.contains(row.id)) << "went under an open token";
                                      rows_.erase(row.id);
                                    },
                                .team = &team_,
                                .disk_folder = schema_.table.eviction.directory,
                                .disk_team = &disk_team_});
  }

  // Mostly small numbers again and again, some from a wide range, both ends of all. Batches are as large as
  // they must be to be shared out over threads.
  std::vector<FeatureId> draw_ids() {
    const auto number = static_cast<std::uint64_t>(now_);
    const std::uint64_t scale = case_.threads > 1 ? 32 : 1;
    const std::uint64_t size =
        case_.threads > 1 ? 1100 + random_below(seed_, 1, number, 900) : random_below(seed_, 1, number, 60);
    std::unordered_set<FeatureId> taken;
    std::vector<FeatureId> ids;
    for (std::uint64_t k = 0; k < size; ++k) {
      const std::uint64_t draw = 4096 * number + k;
      const std::uint64_t pick = random_below(seed_, 2, draw, 100);
      const std::uint64_t range = scale * (pick < 50 ? 300 : pick < 90 ? 3000 : 1000000);
      FeatureId id(random_below(seed_, 3, draw, range));
      if (pick == 99) id = FeatureId(~id.value() % 2 == 0 ? ~std::uint64_t{0} : 0);
      if (taken.insert(id).second) ids.push_back(id);
    }
    return ids;
  }

  void close_one() {
    const std::uint64_t which = random_below(seed_, 5, static_cast<std::uint64_t>(operations_), open_.size());
    const auto closing = open_.begin() + static_cast<std::ptrdiff_t>(which);
    const std::vector<float> gradients =
        gradients_of(closing->ids.size(), static_cast<std::uint64_t>(closing->step));
    table_->update(closing->rows, gradients, Step(closing->step));
    for (std::size_t i = 0; i < closing->ids.size(); ++i) {
      ASSERT_TRUE(rows_.contains(closing->ids[i]));
      rows_[closing->ids[i]] -= gradients[i];
      const auto tokens = tokens_of_.find(closing->ids[i]);
      if (--tokens->second == 0) tokens_of_.erase(tokens);
    }
    operations_ += static_cast<std::int64_t>(closing->ids.size());
    steps_.close(Step(closing->step));
    open_.erase(closing);
  }

  FuzzCase case_;
  config::TableSchema schema_;
  std::uint64_t seed_;
  ThreadTeam team_, disk_team_;
  std::unique_ptr<Table> table_;
  std::unordered_map<FeatureId, float> rows_;
  std::unordered_map<FeatureId, std::int64_t> tokens_of_;
  std::deque<Open> open_;
  OpenSteps steps_;
  std::int64_t now_ = 0;
  std::int64_t operations_ = 0;
  std::int64_t gone_ = 0;
};

TEST(Fuzz, TablesThatEvictEqualAMapThatIsToldWhatGoes) {
  using enum EvictionPolicy;
  const std::vector<FuzzCase> cases{{.policy = lru, .max_rows = 1000},
                                    {.policy = lfu, .max_rows = 1000},
                                    {.policy = lowest_norm, .max_rows = 1000},
                                    {.policy = lru, .max_rows = 50},
                                    {.policy = none, .ttl_steps = 40},
                                    {.policy = lfu, .max_rows = 2000, .ttl_steps = 15},
                                    {.policy = lfu, .max_rows = 4000, .threads = 2},
                                    {.policy = lru, .max_rows = 4000, .ttl_steps = 15, .threads = 8},
                                    {.policy = lru, .max_rows = 200, .on_disk = true},
                                    {.policy = lfu, .max_rows = 3000, .on_disk = true, .threads = 2}};
  std::uint64_t seed = 0;
  for (const FuzzCase& one : cases) {
    EvictionFuzz fuzz(one, ++seed);
    const std::int64_t operations = wanted_operations() / std::ssize(cases);
    const int rounds_per_check = one.threads > 1 ? 10 : 250;
    for (int round = 1; fuzz.operations() < operations; ++round) {
      ASSERT_NO_FATAL_FAILURE(fuzz.step()) << "case " << seed;
      if (round % rounds_per_check == 0) fuzz.check_all();
      if (round % (4 * rounds_per_check) == 0) fuzz.save_and_load();
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "case " << seed;
    }
    EXPECT_GT(fuzz.gone(), 1000) << "case " << seed;
  }
}

}  // namespace
}  // namespace persia::table
