#include "data/category_value.hpp"

#include <set>

#include "data/feature_id.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::CategoryType;

struct Read {
  std::vector<FeatureId> ids;
  ReadCounts counts;
  std::string fault;
};

Read read_category(const config::CategoricalColumn& column, std::string_view text) {
  Read read;
  read.fault = CategoryReader(column, {.name = "t", .table = {}, .salt = 99})
                   .read(text, read.ids, read.counts)
                   .value_or("");
  return read;
}

config::CategoricalColumn typed(CategoryType type) {
  config::CategoricalColumn column;
  column.type = type;
  return column;
}

config::CategoricalColumn listed(std::int32_t max_length, config::Keep keep) {
  config::CategoricalColumn column;
  column.separator = "|";
  column.max_length = max_length;
  column.keep = keep;
  return column;
}

std::vector<FeatureId> strings(const std::vector<std::string>& texts) {
  std::vector<FeatureId> ids;
  for (const std::string& text : texts) ids.push_back(string_id(text, 99));
  return ids;
}

TEST(CategoryReader, GivesIntegersAsTheyAre) {
  for (const char* text : {"9007199254740992", "9007199254740993", "1234567890123456768",
                           "1234567890123456789", "-1", "-7", "-9223372036854775808", "0"}) {
    const Read read = read_category(typed(CategoryType::integer), text);
    ASSERT_EQ(read.ids.size(), 1U) << read.fault;
    EXPECT_EQ(feature_id_text(read.ids[0], CategoryType::integer), text);
  }
  const Read largest = read_category(typed(CategoryType::unsigned_integer), "18446744073709551615");
  EXPECT_EQ(feature_id_text(largest.ids.at(0), CategoryType::unsigned_integer), "18446744073709551615");
}

TEST(CategoryReader, RefusesNumbersOutOfRangeAndOtherTexts) {
  for (const char* bad :
       {"18446744073709551616", "123456789012345678901", "1.0", "x", "9223372036854775808"}) {
    EXPECT_NE(read_category(typed(CategoryType::integer), bad).fault, "") << bad;
    EXPECT_EQ(read_category(typed(CategoryType::string), bad).fault, "") << bad;
  }
  EXPECT_THAT(read_category(typed(CategoryType::unsigned_integer), "18446744073709551616").fault,
              testing::HasSubstr("outside 0 to 18446744073709551615"));
  EXPECT_NE(read_category(typed(CategoryType::unsigned_integer), "-1").fault, "");
}

TEST(CategoryReader, GivesABlankAnIdThatNothingElseHas) {
  for (const CategoryType type :
       {CategoryType::string, CategoryType::integer, CategoryType::unsigned_integer}) {
    const Read read = read_category(typed(type), "");
    EXPECT_EQ(read.ids, std::vector{kMissingId});
    EXPECT_EQ(read.counts.blank_categories, 1);
    EXPECT_EQ(feature_id_text(kMissingId, type), "(blank)");
  }
  EXPECT_THAT(read_category(typed(CategoryType::integer), "-3335678366873096957").fault,
              testing::HasSubstr("stands for a blank"));
  EXPECT_THAT(read_category(typed(CategoryType::unsigned_integer), "15111065706836454659").fault,
              testing::HasSubstr("stands for a blank"));
}

TEST(CategoryReader, TakesStringsAsWritten) {
  std::set<FeatureId> ids;
  for (const char* text : {"A1", "a1", "0a1", "0A1B2C3D", "0a1b2c3d", "a1 "})
    ids.insert(read_category(typed(CategoryType::string), text).ids.at(0));
  EXPECT_EQ(ids.size(), 6U);
}

TEST(CategoryReader, KeepsTwoHundredThousandStringsApart) {
  std::set<FeatureId> ids;
  for (int i = 0; i < 200000; ++i) ids.insert(string_id(fmt::format("u{}", i), hash_bytes("user", 0)));
  EXPECT_EQ(ids.size(), 200000U);
}

TEST(CategoryReader, CutsListsAtTheEndTheRunFileSays) {
  const std::string list = "a|b|c|d|e|f";
  const Read last = read_category(listed(4, config::Keep::last), list);
  EXPECT_EQ(last.ids, strings({"c", "d", "e", "f"}));
  EXPECT_EQ(last.counts.truncated_lists, 1);
  EXPECT_EQ(read_category(listed(4, config::Keep::first), list).ids, strings({"a", "b", "c", "d"}));
  const Read whole = read_category(listed(0, config::Keep::first), list);
  EXPECT_EQ(whole.ids, strings({"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(whole.counts.truncated_lists, 0);
  EXPECT_EQ(read_category(listed(6, config::Keep::last), list).counts.truncated_lists, 0);
}

TEST(CategoryReader, GivesNoIdsForAnEmptyList) {
  const Read empty = read_category(listed(4, config::Keep::first), "");
  EXPECT_TRUE(empty.ids.empty());
  EXPECT_EQ(empty.counts.blank_categories, 1);
  EXPECT_EQ(read_category(listed(0, config::Keep::first), "|a||b|").ids, strings({"a", "b"}));
  EXPECT_EQ(read_category(listed(0, config::Keep::first), "a|a").ids, strings({"a", "a"}));
}

}  // namespace
}  // namespace persia::data
