#include "serve/report.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace persia::serve
