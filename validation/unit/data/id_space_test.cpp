#include "data/id_space.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "data/category_value.hpp"
#include "data/feature_id.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::BadId;
using config::CategoryType;
using config::ComposeType;

config::TableSchema bounded_to(std::int64_t num_ids, BadId policy) {
  config::TableSchema table{.name = "user", .table = {}, .salt = 99};
  table.table.num_ids = num_ids;
  table.table.on_bad_id = policy;
  return table;
}

config::TableSchema composed(ComposeType type, std::int64_t buckets, std::int32_t rounds = 2) {
  config::TableSchema table{.name = "user", .table = {}, .salt = 99};
  table.table.num_ids = 1000000;
  table.table.compose = {.type = type, .buckets = buckets, .rounds = rounds};
  return table;
}

struct Outcome {
  std::vector<std::uint64_t> ids;
  ReadCounts counts;
  std::string fault;
};

Outcome read_with(const config::TableSchema& table, const config::CategoricalColumn& column,
                  std::string_view text) {
  Outcome outcome;
  std::vector<FeatureId> ids;
  outcome.fault = CategoryReader(column, table).read(text, ids, outcome.counts).value_or("");
  for (const FeatureId id : ids) outcome.ids.push_back(id.value());
  return outcome;
}

config::CategoricalColumn numbers() {
  config::CategoricalColumn column;
  column.type = CategoryType::integer;
  column.separator = "|";
  return column;
}

std::vector<std::uint64_t> rows_of_id(const config::TableSchema& table, std::uint64_t id) {
  std::vector<FeatureId> rows{FeatureId(7), FeatureId(id)};
  IdSpace(table).compose(rows, 1);
  EXPECT_EQ(rows[0], FeatureId(7));
  std::vector<std::uint64_t> result;
  for (std::size_t i = 1; i < rows.size(); ++i) result.push_back(rows[i].value());
  return result;
}

TEST(IdSpace, ABadIdIsRefusedWithItsLimit) {
  const Outcome outcome = read_with(bounded_to(100, BadId::error), numbers(), "99|100");
  EXPECT_EQ(outcome.fault,
            "'100' is outside 0 to 99 (num_ids of table 'user'); on_bad_id: count or hash takes such rows");
  EXPECT_NE(read_with(bounded_to(100, BadId::error), numbers(), "-1").fault, "");
  EXPECT_EQ(read_with(bounded_to(100, BadId::error), numbers(), "0|99").fault, "");
  EXPECT_EQ(read_with(bounded_to(0, BadId::error), numbers(), "-1|9223372036854775807").fault, "");
}

TEST(IdSpace, ABadIdIsLeftOutAndCounted) {
  // Beyond 64 bits, and the blank's own number, too.
  const Outcome outcome = read_with(bounded_to(100, BadId::count), numbers(),
                                    "5|100|-1|7|9223372036854775808|-3335678366873096957");
  EXPECT_EQ(outcome.fault, "");
  EXPECT_THAT(outcome.ids, ::testing::ElementsAre(5, 7));
  EXPECT_EQ(outcome.counts.bad_ids, 4);
  config::CategoricalColumn unsigned_numbers = numbers();
  unsigned_numbers.type = CategoryType::unsigned_integer;
  EXPECT_EQ(
      read_with(bounded_to(100, BadId::hash), unsigned_numbers, "-1|18446744073709551616").counts.bad_ids, 2);
  EXPECT_NE(read_with(bounded_to(100, BadId::count), numbers(), "1.5").fault, "");
}

TEST(IdSpace, ABadIdIsHashedBelowTheLimitAndCounted) {
  std::map<std::uint64_t, int> seen;
  for (int i = 0; i < 10000; ++i) {
    const Outcome outcome = read_with(bounded_to(10, BadId::hash), numbers(), std::to_string(1000 + i));
    ASSERT_EQ(outcome.ids.size(), 1U);
    ASSERT_LT(outcome.ids[0], 10U);
    ASSERT_EQ(outcome.counts.bad_ids, 1);
    ++seen[outcome.ids[0]];
  }
  for (const auto& [id, count] : seen) EXPECT_NEAR(count, 1000, 150) << id;
  EXPECT_THAT(read_with(bounded_to(10, BadId::hash), numbers(), "3").ids, ::testing::ElementsAre(3));
}

TEST(IdSpace, StringsAreHashedBelowTheLimitAndBlanksKeepTheirRow) {
  const config::CategoricalColumn text;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const Outcome outcome = read_with(bounded_to(10, BadId::error), text, "word" + std::to_string(i));
    ASSERT_EQ(outcome.fault, "");
    ASSERT_LT(outcome.ids.at(0), 10U);
    seen.insert(outcome.ids[0]);
  }
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_THAT(read_with(bounded_to(10, BadId::error), text, "").ids,
              ::testing::ElementsAre(kMissingId.value()));
}

TEST(IdSpace, QuotientAndRemainderTellEveryIdApart) {
  const auto table = composed(ComposeType::quotient_remainder, 1000);
  EXPECT_THAT(rows_of_id(table, 123456), ::testing::ElementsAre(456, 1123));
  std::set<std::vector<std::uint64_t>> seen;
  std::uint64_t largest = 0;
  for (std::uint64_t id = 0; id < 1000000; id += 7) {
    const auto rows = rows_of_id(table, id);
    largest = std::max(largest, rows.at(1));
    ASSERT_TRUE(seen.insert(rows).second) << id;
  }
  EXPECT_LT(largest, 2000U);
  EXPECT_THAT(rows_of_id(table, kMissingId.value()), ::testing::ElementsAre(kMissingId.value()));
}

TEST(IdSpace, AHashStackHasARowInEachPart) {
  const auto table = composed(ComposeType::hash_stack, 500, 3);
  std::set<std::vector<std::uint64_t>> seen;
  for (std::uint64_t id = 0; id < 20000; ++id) {
    const auto rows = rows_of_id(table, id);
    ASSERT_EQ(rows.size(), 3U);
    for (std::uint64_t round = 0; round < 3; ++round) ASSERT_EQ(rows[round] / 500, round);
    seen.insert(rows);
  }
  EXPECT_GT(seen.size(), 19990U);  // of 125 million combinations
}

// Saved rows are found by these numbers.
TEST(IdSpace, NumbersDoNotChange) {
  EXPECT_THAT(rows_of_id(composed(ComposeType::hash_stack, 1000, 3), 12345),
              ::testing::ElementsAre(95, 1857, 2981));
  FeatureId id(123456789);
  EXPECT_EQ(IdSpace(bounded_to(1000, BadId::hash)).admit(id), IdSpace::Fate::hashed);
  EXPECT_EQ(id, FeatureId(399));
  EXPECT_EQ(IdSpace(bounded_to(1000, BadId::hash)).bounded(string_id("a", 99)), FeatureId(462));
}

TEST(IdSpace, ListsAreCutBeforeIdsBecomeRows) {
  config::CategoricalColumn column = numbers();
  column.max_length = 2;
  const Outcome outcome = read_with(composed(ComposeType::quotient_remainder, 10), column, "12|34|56");
  EXPECT_THAT(outcome.ids, ::testing::ElementsAre(2, 11, 4, 13));
}

}  // namespace
}  // namespace persia::data
