#include "config/scalar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace persia::config {
namespace {

using ::testing::HasSubstr;

TEST(Scalar, ReadsTheFourWaysToWriteOneThousandthAsTheSameNumber) {
  for (const char* text : {"1e-3", "1E-3", ".001", "0.001", "+0.001", "1.e-3", "10e-4"})
    EXPECT_EQ(parse_number(text).value, 0.001) << text;
}

TEST(Scalar, RefusesWhatIsNoFiniteDecimalNumber) {
  for (const char* text : {"", ".", "e3", "1e", "1e+", "1.2.3", "0x10", "1_000", "nan", ".inf", "inf",
                           "1e999", "--1", "1 2", "1f", "1,5"}) {
    const auto parsed = parse_number(text);
    EXPECT_FALSE(parsed.value.has_value()) << text;
    EXPECT_FALSE(parsed.complaint.empty()) << text;
  }
}

TEST(Scalar, ReadsWholeNumbersUpToTheLimitsOfTheirType) {
  EXPECT_EQ(parse_whole<std::int32_t>("0").value, 0);
  EXPECT_EQ(parse_whole<std::int32_t>("-17").value, -17);
  EXPECT_EQ(parse_whole<std::int32_t>("2147483647").value, 2147483647);
  EXPECT_EQ(parse_whole<std::int64_t>("9007199254740993").value, 9007199254740993);
  EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615").value,
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Scalar, RefusesEveryOtherSpellingOfAWholeNumber) {
  for (const char* text :
       {"", "-", "+1", "1_000", "010", "0x10", "0o10", "1e3", "1.0", "1.5", "yes", "~", "1 000"})
    EXPECT_FALSE(parse_whole<std::int32_t>(text).value.has_value()) << text;
  EXPECT_THAT(parse_whole<std::int32_t>("010").complaint, HasSubstr("leading zero"));
}

TEST(Scalar, RefusesNumbersOutOfRangeNamingTheRange) {
  EXPECT_THAT(parse_whole<std::int32_t>("2147483648").complaint, HasSubstr("-2147483648 to 2147483647"));
  EXPECT_THAT(parse_whole<std::uint64_t>("-1").complaint, HasSubstr("0 to 18446744073709551615"));
  EXPECT_FALSE(parse_whole<std::uint64_t>("18446744073709551616").value.has_value());
}

TEST(Scalar, TakesOnlyTrueAndFalseAsTruth) {
  EXPECT_EQ(parse_bool("true").value, true);
  EXPECT_EQ(parse_bool("false").value, false);
  for (const char* text : {"yes", "no", "on", "True", "1", ""}) EXPECT_FALSE(parse_bool(text).value) << text;
}

TEST(Scalar, WritesNumbersThatReadBackEqual) {
  for (const double value : {0.0, 0.1, 1e-8, 1.0 / 3.0, 600.0, 5e-324, std::numeric_limits<double>::max(),
                             -2.5e17, std::nextafter(1.0, 2.0)})
    EXPECT_EQ(parse_number(number_text(value)).value, value) << number_text(value);
}

TEST(Scalar, QuotesTextsThatWouldNotReadBack) {
  EXPECT_EQ(string_text("runs/a-1.txt"), "runs/a-1.txt");
  EXPECT_EQ(string_text(""), "\"\"");
  EXPECT_EQ(string_text("null"), "\"null\"");
  EXPECT_EQ(string_text("a: b"), "\"a: b\"");
  EXPECT_EQ(string_text(">50K"), "\">50K\"");
  EXPECT_EQ(string_text("a\"\\\t"), "\"a\\\"\\\\\\x09\"");
  EXPECT_EQ(string_text("-"), "\"-\"");
}

}  // namespace
}  // namespace persia::config
