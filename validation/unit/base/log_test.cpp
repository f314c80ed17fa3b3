#include "base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "base/error.hpp"

namespace persia {
namespace {

using ::testing::HasSubstr;

std::string said(const std::string& speaker, const std::string& text) {
  ::testing::internal::CaptureStderr();
  set_log_speaker(speaker);
  log::warn("{}", text);
  log::default_logger()->flush();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, SpeaksToStandardErrorNamingTimeSpeakerAndLevel) {
  EXPECT_TRUE(std::regex_match(said("trainer 0 (rank 1)", "slow"),
                               std::regex(R"(\d\d:\d\d:\d\d trainer 0 \(rank 1\) warning: slow\n)")));
  EXPECT_TRUE(std::regex_match(said("", "slow"), std::regex(R"(\d\d:\d\d:\d\d warning: slow\n)")));
}

TEST(Log, TakesPercentSignsOfASpeakerLiterally) {
  EXPECT_THAT(said("host 100%v", "x"), HasSubstr("host 100%v warning: x"));
}

TEST(Log, LeavesStandardOutputAlone) {
  ::testing::internal::CaptureStdout();
  (void)said("a", "b");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(Log, KnowsItsLevels) {
  for (const char* level : {"trace", "debug", "info", "warn", "error"}) EXPECT_NO_THROW(set_log_level(level));
  EXPECT_THROW(set_log_level("loud"), UserError);
  set_log_level("off");
  EXPECT_EQ(said("a", "b"), "");
  set_log_level("info");
}

}  // namespace
}  // namespace persia
