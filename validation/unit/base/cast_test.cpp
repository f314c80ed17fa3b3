#include "base/cast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace persia {
namespace {

TEST(CheckedCast, KeepsEveryNumberThatFits) {
  EXPECT_EQ(checked_cast<int>(std::int64_t{2147483647}), 2147483647);
  EXPECT_EQ(checked_cast<std::int32_t>(std::int64_t{-2147483648LL}),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(checked_cast<std::uint64_t>(std::int64_t{0}), 0U);
}

TEST(CheckedCast, RefusesTheOthersNamingTheNumber) {
  EXPECT_THROW((void)checked_cast<int>(std::int64_t{2147483648LL}), Error);
  EXPECT_THROW((void)checked_cast<std::uint64_t>(-1), Error);
  EXPECT_THROW((void)checked_cast<std::int64_t>(std::numeric_limits<std::uint64_t>::max()), Error);
  try {
    (void)checked_cast<std::uint8_t>(256);
    FAIL() << "nothing thrown";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), ::testing::HasSubstr("256"));
  }
}

}  // namespace
}  // namespace persia
