#include "base/clock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <regex>

namespace persia {
namespace {

TEST(Clock, NeverRunsBackwards) {
  double last = now_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double next = now_seconds();
    EXPECT_GE(next, last);
    last = next;
  }
}

TEST(Clock, StopwatchMeasuresFromItsConstruction) {
  const double before = now_seconds();
  const Stopwatch watch;
  const double measured = watch.seconds();
  EXPECT_GE(measured, 0.0);
  EXPECT_LE(measured, now_seconds() - before);
}

TEST(Clock, TimestampIsUtcWhateverTheTimeZone) {
  ::setenv("TZ", "Asia/Tokyo", 1);
  ::tzset();
  const std::time_t before = std::time(nullptr);
  const std::string text = utc_timestamp();
  ::unsetenv("TZ");
  ::tzset();
  EXPECT_TRUE(std::regex_match(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << text;
  std::tm parsed{};
  ASSERT_NE(::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parsed), nullptr);
  EXPECT_NEAR(static_cast<double>(::timegm(&parsed)), static_cast<double>(before), 2.0);
}

TEST(Clock, MicrosecondsOrderWhatHappensWithinOneSecond) {
  const std::string first = utc_timestamp_micros();
  ASSERT_EQ(first.size(), std::string("2026-11-30T15:34:05.000123Z").size());
  EXPECT_EQ(first[19], '.');
  EXPECT_EQ(first.back(), 'Z');
  std::string later = utc_timestamp_micros();
  for (const Stopwatch watch; later == first && watch.seconds() < 1;) later = utc_timestamp_micros();
  EXPECT_LT(first, later);
}

}  // namespace
}  // namespace persia
