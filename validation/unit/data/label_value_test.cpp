#include "data/label_value.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(LabelReader, TakesTheTextsOfTheRunFileAndNoOthers) {
  const LabelReader plain{config::LabelColumn{}};
  EXPECT_EQ(plain.read("1"), 1.0F);
  EXPECT_EQ(plain.read("0.0"), 0.0F);
  for (const char* bad : {"", "2", "-1", "true", "01", " 1"}) EXPECT_EQ(plain.read(bad), std::nullopt) << bad;
  const LabelReader named{{.name = "y", .positive = {">50K", ">50K."}, .negative = {"<=50K", "<=50K."}}};
  EXPECT_EQ(named.read(">50K."), 1.0F);
  EXPECT_EQ(named.read("<=50K"), 0.0F);
  EXPECT_EQ(named.read("1"), std::nullopt);
  EXPECT_EQ(named.expected(), "one of '>50K', '>50K.', '<=50K', '<=50K.'");
}

}  // namespace
}  // namespace persia::data
