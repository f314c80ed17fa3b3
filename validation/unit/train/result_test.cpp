#include "train/result.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "roles/agree.hpp"

namespace persia::train {
namespace {

using nlohmann::json;

TEST(Result, AddsUpTheTablesOfAllOwners) {
  const json table{{"table", "a"},      {"rows", 3},    {"resident_bytes", 10},     {"unseen", 1},
                   {"not_admitted", 4}, {"evicted", 5}, {"non_finite_gradients", 2}};
  const json totals =
      table_totals(json::array({json::array({table, table}), json::array({table}), json::array()}));
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
  const json totals = table_totals(json::array({json::array({table}), json::array({table})}));
  EXPECT_EQ(totals["disk_rows"], 4);
  EXPECT_EQ(totals["memory_hit_rate"], 0.75);
}

// An evaluation, for one, counts none.
TEST(Result, HasNoHitRateWithoutRowsThatTrainingFound) {
  const json table{{"table", "a"}, {"disk_rows", 2}, {"found_on_disk", 0}, {"found_in_memory", 0}};
  const json totals = table_totals(json::array({json::array({table})}));
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
