#include "data/field_splitter.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

std::vector<std::string> split(const std::string& row, const RecordFormat& format) {
  FieldSplitter splitter(format);
  std::vector<std::string> result;
  for (const Field& field : splitter.split(row)) result.emplace_back(field.text);
  return result;
}

using Texts = std::vector<std::string>;
const RecordFormat kTabs{};
const RecordFormat kCsv{.delimiter = ',', .quotes = true, .trims = true, .comment = ""};

TEST(FieldSplitter, SplitsAtDelimitersAndKeepsBlanks) {
  EXPECT_EQ(split("a\t\tb\t", kTabs), (Texts{"a", "", "b", ""}));
  EXPECT_EQ(split("a", kTabs), (Texts{"a"}));
  EXPECT_EQ(split(" a\tb ", kTabs), (Texts{" a", "b "}));
}

TEST(FieldSplitter, DropsSpacesInFrontOfCsvFieldsOnly) {
  EXPECT_EQ(split("39, State-gov,  x y , ", kCsv), (Texts{"39", "State-gov", "x y ", ""}));
}

TEST(FieldSplitter, TakesQuotesOffAndUndoublesThem) {
  EXPECT_EQ(split("1,\"shoes, red\",3", kCsv), (Texts{"1", "shoes, red", "3"}));
  EXPECT_EQ(split("0, \"a \"\"b\"\"\",4", kCsv), (Texts{"0", "a \"b\"", "4"}));
  EXPECT_EQ(split("\"\",\"\"\"\",\" x\"", kCsv), (Texts{"", "\"", " x"}));
  EXPECT_EQ(split("\"x\ny\" ,5\" pipe,", kCsv), (Texts{"x\ny", "5\" pipe", ""}));
}

TEST(FieldSplitter, KnowsWhereFieldsStart) {
  FieldSplitter splitter(kCsv);
  const auto fields = splitter.split("ab, c,\"d\"");
  EXPECT_EQ(fields[0].offset, 0U);
  EXPECT_EQ(fields[1].offset, 4U);
  EXPECT_EQ(fields[2].offset, 6U);
}

}  // namespace
}  // namespace persia::data
