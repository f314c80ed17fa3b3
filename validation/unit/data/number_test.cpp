#include "data/number.hpp"

#include <cmath>
#include <limits>

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(Number, KeepsWholeNumbersExact) {
  EXPECT_EQ(parse_number("1700000000000000001")->integer, 1700000000000000001);
  EXPECT_EQ(parse_signed("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_signed("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_unsigned("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
}

TEST(Number, ReadsWhatPeopleWriteAndNothingElse) {
  EXPECT_EQ(parse_number(" +1.5e3 ")->real, 1500.0);
  EXPECT_EQ(parse_number(".5")->real, 0.5);
  EXPECT_EQ(parse_number("1e-400")->real, 0.0);
  EXPECT_TRUE(std::isinf(parse_number("1e400")->real));
  EXPECT_TRUE(std::isinf(parse_number("-inf")->real));
  EXPECT_TRUE(std::isnan(parse_number("nan")->real));
  for (const char* bad : {"", " ", "x", "1x", "1,5", "0x10", "--1", "+-1", "1 2", "1e", "+"})
    EXPECT_FALSE(parse_number(bad).has_value()) << bad;
}

}  // namespace
}  // namespace persia::data
