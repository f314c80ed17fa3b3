#include "serve/report.hpp"

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "example.hpp"

namespace persia::serve {
namespace {

TEST(Report, NamesEachTableWithItsCounts) {
  const auto tables = example::tables();
  (void)example::rows_of(*tables[0], {FeatureId(1), FeatureId(2)});
  (void)example::values_of(*tables[0], {FeatureId(3)});
  const nlohmann::json report = report_of(tables);
  ASSERT_EQ(report.size(), 1U);
  EXPECT_EQ(report[0].at("table"), "a");
  EXPECT_EQ(report[0].at("rows"), 2);
  EXPECT_EQ(report[0].at("unseen"), 1);
  EXPECT_GT(report[0].at("resident_bytes"), 0);
}

TEST(Report, CountsWhatTheOwnerDidSinceItsFirstMessage) {
  const Load load{.lookups = 2,
                  .lookup_rows = 30,
                  .update_rows = 20,
                  .busy_seconds = 0.5,
                  .first_message = now_seconds() - 4};
  const nlohmann::json report = report_of(load, {.bytes_sent = 7, .bytes_received = 9});
  EXPECT_EQ(report.at("lookup_rows"), 30);
  EXPECT_EQ(report.at("bytes_received"), 9);
  EXPECT_GE(report.at("seconds").get<double>(), 4);
  EXPECT_EQ(report_of(Load{}, {}).at("seconds"), 0.0);
}

}  // namespace
}  // namespace persia::serve
