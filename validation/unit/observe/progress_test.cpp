#include "observe/progress.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace persia::observe {
namespace {

TEST(Progress, ReadsAsPromised) {
  EXPECT_EQ(progress_text({1200, 5000, 48210, 0.45118, 3.88, 80}),
            "step 1200/5000  48.2k samples/s  loss 0.4512  staleness 3.9  eta 1m20s");
  EXPECT_EQ(progress_text({7, std::nullopt, 950, 0.7, 0, std::nullopt}),
            "step 7  950 samples/s  loss 0.7000  staleness 0.0");
  EXPECT_EQ(progress_text({7, 8, 3.1e6, 0.7, 0, 7500}),
            "step 7/8  3.10M samples/s  loss 0.7000  staleness 0.0  eta 2h05m");
}

TEST(Progress, SurvivesNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(progress_text({1, 2, infinity, nan, 0, infinity}),
            "step 1/2  ? samples/s  loss nan  staleness 0.0  eta ?");
}

std::string shown(const char* setting) {
  ::setenv("PERSIA_PROGRESS", setting, 1);
  ::testing::internal::CaptureStderr();
  {
    Progress progress;
    ProgressState state;
    state.step = 1;
    progress.show(state);
    progress.show(state);  // too soon
  }
  ::unsetenv("PERSIA_PROGRESS");
  return ::testing::internal::GetCapturedStderr();
}

TEST(Progress, IsQuietUnlessAskedFor) {
  EXPECT_EQ(shown("0"), "");
  EXPECT_EQ(shown(""), "");  // standard error is captured: no terminal
}

TEST(Progress, ShowsAtMostFiveTimesASecondAndClearsItsLine) {
  EXPECT_EQ(shown("1"), "\r\x1b[Kstep 1  0 samples/s  loss 0.0000  staleness 0.0\r\x1b[K");
}

}  // namespace
}  // namespace persia::observe
