#include "train/result.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roles/agree.hpp"

namespace persia::train {
namespace {

using nlohmann::json;

json report(const std::vector<json>& tables) {
  return {{"tables", tables}};
}

json load(int rows, int bytes, double busy) {
  return {{"load",
           {{"lookups", 1},
            {"lookup_rows", rows / 2},
            {"update_rows", rows / 2},
            {"bytes_received", bytes},
            {"bytes_sent", 0},
            {"busy_seconds", busy},
            {"seconds", 2}}}};
}

TEST(Result, SharesOfWorkersAreMeansOfTheirOwnShares) {
  const auto worker = [](double read, double pool) {
    return json{{"seconds", {{"read", read}, {"pool", pool}}}, {"raw_bytes", 1}, {"sent_bytes", 1}};
  };
  EXPECT_EQ(worker_shares(json::array({worker(1, 3), worker(300, 100)})),
            (json{{"read", 0.5}, {"pool", 0.5}}));
  EXPECT_EQ(worker_shares(json::array({worker(0, 0)})), (json{{"read", 0.0}, {"pool", 0.0}}));
}

TEST(Result, TellsHowEvenlyTheOwnersAreLoaded) {
  const json loads = loads_of(json::array({load(100, 8, 1), load(300, 8, 0.5), load(200, 8, 0)}));
  ASSERT_EQ(loads.size(), 3U);
  EXPECT_EQ(loads[1].at("owner"), 1);
  EXPECT_EQ(loads[1].at("rows_per_s"), 150.0);
  EXPECT_EQ(loads[1].at("bytes_per_s"), 4.0);
  EXPECT_EQ(loads[0].at("busy_share"), 0.5);
  const json spread = load_spread(loads);
  EXPECT_EQ(spread.at("rows_per_s"), (json{{"mean", 100.0}, {"most", 150.0}, {"most_over_mean", 1.5}}));
  EXPECT_EQ(spread.at("bytes_per_s").at("most_over_mean"), 1.0);
  EXPECT_EQ(load_spread(loads_of(json::array({load(0, 0, 0)}))).at("rows_per_s").at("most_over_mean"), 1.0);
}

TEST(Result, HasNoLoadOfTablesInTheSameProcess) {
  EXPECT_TRUE(loads_of(json::array({report({})})).empty());
}

TEST(Result, AddsUpOtherTrainersUpdatesOfAllOwners) {
  const json statistics = json::array({{{"others_updates", {1, 2}}}, {{"others_updates", {1, 0, 0, 4}}}});
  EXPECT_EQ(others_updates(statistics), (json{{"mean", 14.0 / 8}, {"max", 3}, {"histogram", {2, 2, 0, 4}}}));
  EXPECT_TRUE(others_updates(json::array({report({})})).is_null());
}

TEST(Result, AddsUpTheTablesOfAllOwners) {
  const json table{{"table", "a"},      {"rows", 3},    {"resident_bytes", 10},     {"unseen", 1},
                   {"not_admitted", 4}, {"evicted", 5}, {"non_finite_gradients", 2}};
  const json totals = table_totals(json::array({report({table, table}), report({table}), report({})}));
  EXPECT_EQ(totals, (json{{"rows", 9},
                          {"resident_bytes", 30},
                          {"unseen", 3},
                          {"not_admitted", 12},
                          {"evicted", 15},
                          {"non_finite_gradients", 6}}));
}

TEST(Result, TellsHowManyRowsWereFoundInMemoryWhereSomeAreOnDisk) {
  const json table{{"table", "a"},       {"rows", 3},          {"disk_rows", 2},
                   {"disk_bytes", 4096}, {"found_on_disk", 1}, {"found_in_memory", 3}};
  const json totals = table_totals(json::array({report({table}), report({table})}));
  EXPECT_EQ(totals["disk_rows"], 4);
  EXPECT_EQ(totals["memory_hit_rate"], 0.75);
}

// An evaluation, for one, counts none.
TEST(Result, HasNoHitRateWithoutRowsThatTrainingFound) {
  const json table{{"table", "a"}, {"disk_rows", 2}, {"found_on_disk", 0}, {"found_in_memory", 0}};
  const json totals = table_totals(json::array({report({table})}));
  EXPECT_EQ(totals["disk_rows"], 2);
  EXPECT_FALSE(totals.contains("memory_hit_rate"));
}

TEST(Result, NamesEveryReadCount) {
  const json counts = to_json(data::ReadCounts{.rows = 1,
                                               .skipped_rows = 2,
                                               .blank_dense = 3,
                                               .blank_categories = 4,
                                               .truncated_lists = 5,
                                               .bad_ids = 6});
  EXPECT_EQ(
      counts.dump(),
      R"({"bad_ids":6,"blank_categories":4,"blank_dense":3,"rows":1,"skipped_rows":2,"truncated_lists":5})");
}

TEST(Result, AFailureIsToldInTheWordsOfWhoSpeaks) {
  const auto own = std::make_exception_ptr(UserError("line 7 is bad"));
  EXPECT_EQ(message_of(own), "line 7 is bad");
  EXPECT_EQ(message_of(std::make_exception_ptr(roles::StoppedTogether{2, own})), "line 7 is bad");
  EXPECT_NE(message_of(std::make_exception_ptr(roles::StoppedTogether{2, nullptr})), "");
  EXPECT_EQ(message_of(std::make_exception_ptr(1)), "unknown failure");
}

}  // namespace
}  // namespace persia::train
