#include "data/file_source.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/feature_id.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

using config::CategoryType;
using config::Transform;
using testing::ElementsAre;
using testing::HasSubstr;

std::string repeated(const std::string& row, int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += row + "\n";
  return text;
}

TEST(FileSource, ReadsTheSameSamplesWhateverSurroundsTheText) {
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 6; ++i)
    rows += criteo_row(i % 2 == 0 ? "1" : "0", std::to_string(i), fmt::format("0000000{}", i)) + "\n";
  std::string windows_rows;
  for (const char c : rows) windows_rows += c == '\n' ? "\r\n" : std::string(1, c);
  const Recipe recipe = criteo();
  const Batch expected = read_all(recipe, {folder.write("lf", rows)});
  ASSERT_EQ(expected.num_samples, 6);
  for (const std::string& text : {windows_rows, rows.substr(0, rows.size() - 1), rows + "\n",
                                  "\xEF\xBB\xBF" + rows, gzip(rows), gzip(windows_rows)}) {
    const Batch batch = read_all(recipe, {folder.write("other", text)});
    EXPECT_EQ(batch.dense, expected.dense);
    EXPECT_EQ(batch.labels, expected.labels);
    for (std::size_t c = 0; c < 26; ++c) {
      EXPECT_EQ(batch.columns[c].ids, expected.columns[c].ids);
      EXPECT_EQ(batch.columns[c].offsets, expected.columns[c].offsets);
    }
  }
}

TEST(FileSource, HashesCriteoWordsWithTheSaltOfTheirTable) {
  const Folder folder;
  const Recipe recipe = criteo();
  const Batch batch = read_all(recipe, {folder.write("a", criteo_row("1", "7", "68fd1e64"))});
  EXPECT_EQ(batch.columns[0].ids[0], string_id("68fd1e64", hash_bytes("C1", 0)));
  EXPECT_EQ(batch.columns[25].ids[0], string_id("68fd1e64", hash_bytes("C26", 0)));
  EXPECT_NE(batch.columns[0].ids[0], batch.columns[25].ids[0]);
}

TEST(FileSource, NeverTakesAColumnForAnother) {
  const Folder folder;
  const std::string labelled = criteo_row("1", "3", "aa");
  const auto bare = folder.write("test.txt", repeated(labelled.substr(2), 5));
  EXPECT_THAT(reading_error(criteo(), bare),
              HasSubstr("test.txt:1: 39 fields, 40 expected; without labels use predict"));
  Recipe unlabelled = criteo();
  unlabelled.data.label.name = "none";
  const Batch batch = read_all(unlabelled, {bare});
  EXPECT_EQ(batch.num_samples, 5);
  EXPECT_TRUE(batch.labels.empty());
  const Batch with = read_all(criteo(), {folder.write("train.txt", repeated(labelled, 5))});
  EXPECT_EQ(batch.dense, with.dense);
  EXPECT_EQ(batch.columns[3].ids, with.columns[3].ids);
  EXPECT_THAT(reading_error(unlabelled, folder.path() / "train.txt"), HasSubstr("40 fields, 39 expected"));
}

TEST(FileSource, TakesBlanksForValuesOfTheirOwn) {
  const Folder folder;
  const std::string rows = repeated(criteo_row("1", "", "ab"), 50) + repeated(criteo_row("0", "4", ""), 50) +
                           repeated(criteo_row("0", "4", "ab"), 100);
  ReadCounts counts;
  const Batch batch = read_all(criteo(), {folder.write("a", rows)}, {}, &counts);
  EXPECT_EQ(counts.rows, 200);
  EXPECT_EQ(counts.blank_dense, 50 * 13);
  EXPECT_EQ(counts.blank_categories, 50 * 26);
  EXPECT_EQ(batch.dense[0], 0.0F);
  EXPECT_EQ(batch.columns[0].ids[50], kMissingId);
  EXPECT_NE(string_id("0", hash_bytes("C1", 0)), kMissingId);
  EXPECT_NE(string_id("-1", hash_bytes("C1", 0)), kMissingId);
}

TEST(FileSource, ReadsQuotedFieldsAndNamesBrokenOnes) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.category("title").dense("price");
  const std::string header = "click,title,price\n";
  const Batch batch =
      read_all(recipe, {folder.write("a.csv", header + "1,\"shoes, red\",3\n0,\"a \"\"b\"\"\",4\n")});
  const std::uint64_t salt = hash_bytes("title", 0);
  EXPECT_THAT(batch.columns[0].ids, ElementsAre(string_id("shoes, red", salt), string_id("a \"b\"", salt)));
  EXPECT_THAT(batch.dense, ElementsAre(3.0F, 4.0F));
  EXPECT_THAT(reading_error(recipe, folder.write("b.csv", header + "1,x,3\n1,\"open,3\n1,y,5\n")),
              HasSubstr("b.csv:3:3: the quote"));
  EXPECT_THAT(reading_error(recipe, folder.write("c.csv", header + "1,x,3\n1,x,3,9\n")),
              HasSubstr("c.csv:3: 4 fields, 3 expected"));
}

TEST(FileSource, OffersToSkipABadRow) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("price");
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "click,price\n1,x\n")),
              HasSubstr("; mend the row, or pass over such rows with data.on_bad_row: skip"));
}

TEST(FileSource, EscapesWhatATerminalWouldObey) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("price");
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "click,price\n1,\x1B[2J\xFF\n")),
              HasSubstr("'\\x1b[2J\\xff' is not a number"));
  EXPECT_THAT(reading_error(recipe, folder.write("b.csv", "click,\x1B[2J\n1,2\n")),
              HasSubstr("the columns are click, \\x1b[2J"));
  EXPECT_THAT(reading_error(recipe, folder.write("c.csv", "\x07,\x07\n1,2\n")),
              HasSubstr("'\\x07' stands twice"));
}

TEST(FileSource, MatchesColumnsByTheHeaderOfEachFile) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.category("user", CategoryType::integer).dense("price");
  const auto first = folder.write("1.csv", "click,user,extra,price\n1,5,x,2\n");
  const auto second = folder.write("2.csv", "price, user, click\n3, 6, 0\n");
  const Batch batch = read_all(recipe, {first, second});
  EXPECT_THAT(batch.labels, ElementsAre(1.0F, 0.0F));
  EXPECT_THAT(batch.dense, ElementsAre(2.0F, 3.0F));
  EXPECT_THAT(batch.columns[0].ids, ElementsAre(FeatureId(5), FeatureId(6)));
  EXPECT_THAT(batch.row_numbers, ElementsAre(0, 1));
}

TEST(FileSource, NamesMissingAndDoubleColumns) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.category("user").dense("price");
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "click,user,prize\n1,2,3\n")),
              HasSubstr("a.csv:1: there is no column 'price' (did you mean 'prize'?)"));
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "click,user,price,user\n1,2,3,4\n")),
              HasSubstr("a.csv:1: the column 'user' stands twice"));
}

TEST(FileSource, RefusesFilesWithoutRows) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.category("user");
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "click,user\n")), HasSubstr("a.csv holds no rows"));
  EXPECT_THAT(reading_error(recipe, folder.write("a.csv", "\n\n")), HasSubstr("not even a header"));
  EXPECT_THAT(reading_error(criteo(), folder.write("a.gz", gzip(""))), HasSubstr("a.gz holds no rows"));
}

TEST(FileSource, ReadsFilesWithoutHeaderWithCommentsAndSpaces) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.data.delimiter = ", ";
  recipe.data.comment = "|";
  recipe.data.header = {"age", "work", "income"};
  recipe.data.label = {.name = "income", .positive = {">50K", ">50K."}, .negative = {"<=50K", "<=50K."}};
  recipe.dense("age").category("work");
  const Batch batch =
      read_all(recipe, {folder.write("t", "|1x3 Cross validator\n25, Private, <=50K.\n38, ?, >50K.\n\n")});
  EXPECT_THAT(batch.labels, ElementsAre(0.0F, 1.0F));
  EXPECT_THAT(batch.dense, ElementsAre(25.0F, 38.0F));
  EXPECT_EQ(batch.columns[0].ids[0], string_id("Private", hash_bytes("work", 0)));
  EXPECT_THAT(reading_error(recipe, folder.write("t", "25, Private, 60K\n")),
              HasSubstr("t:1:14: column 'income': the label is '60K', it must be one of '>50K', '>50K.'"));
}

TEST(FileSource, NamesFileLineAndColumnOfAMalformedField) {
  const Folder folder;
  const std::string good = criteo_row("1", "3", "aa") + "\n";
  EXPECT_THAT(reading_error(criteo(), folder.write("a", good + criteo_row("1", "x", "aa"))),
              HasSubstr("a:2:3: column 'I1': 'x' is not a whole number"));
  EXPECT_THAT(reading_error(criteo(), folder.write("a", good + good + criteo_row("2", "3", "aa"))),
              HasSubstr("a:3:1: column 'label': the label is '2', it must be 0 or 1"));
  Recipe recipe = csv();
  recipe.dense("price").category("user", CategoryType::integer);
  const std::string head = "click,price,user\n0,1,1\n";
  EXPECT_THAT(reading_error(recipe, folder.write("b", head + "1,1e39,1\n")),
              HasSubstr("b:3:3: column 'price': '1e39'"));
  EXPECT_THAT(reading_error(recipe, folder.write("b", head + "1,inf,1\n")),
              HasSubstr("b:3:3: column 'price': 'inf'"));
  EXPECT_THAT(reading_error(recipe, folder.write("b", head + "1,1,18446744073709551616\n")),
              HasSubstr("b:3:5: column 'user': '18446744073709551616' is outside"));
  EXPECT_THAT(reading_error(recipe, folder.write("b", head + "1,\"\n7\",x\n")),
              HasSubstr("b:3:3: column 'price'"));
  EXPECT_THAT(reading_error(recipe, folder.write("b", head + "1,\"7\",\" x\ny\"\n")),
              HasSubstr("b:3:7: column 'user'"));
}

TEST(FileSource, TellsDamageFromMalformedRowsInCompressedFiles) {
  const Folder folder;
  std::string text = criteo_row("broken", "1", "a") + "\n";
  for (int i = 0; i < 30000; ++i) text += criteo_row("0", std::to_string(i), std::to_string(i)) + "\n";
  std::string packed = gzip(text);
  EXPECT_THAT(reading_error(criteo(), folder.write("a.gz", packed)), HasSubstr("the label is 'broken'"));
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  SourceOptions options;
  options.files = {folder.write("a.gz", packed)};
  options.batch_size = 10;
  EXPECT_THAT(user_error([&] { (void)read_epoch(criteo(), options); }), HasSubstr("a.gz is damaged"));
}

TEST(FileSource, KeepsNanosecondTimesApart) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.dense("time", Transform::standardise);
  const auto file = folder.write("a", "click,time\n0,1700000100\n0,1700000001\n1,1700000050\n");
  const Batch seconds = read_all(recipe, {file}, {.mean = {1700000050.0}, .scale = {0.02}});
  EXPECT_THAT(seconds.dense, ElementsAre(testing::FloatEq(1.0F), testing::FloatEq(-0.98F), 0.0F));
}

TEST(FileSource, LeavesNoTraceOfASkippedRow) {
  const Folder folder;
  Recipe recipe = csv();
  recipe.data.on_bad_row = config::BadRow::skip;
  recipe.dense("price").category("title").category("user", CategoryType::integer);
  ReadCounts counts;
  const Batch batch =
      read_all(recipe, {folder.write("a", "click,price,title,user\n1,2,a,3\n0,,,x\n0,4,b,5\n")}, {}, &counts);
  EXPECT_EQ(batch.num_samples, 2);
  EXPECT_EQ(batch.global_rows, 3);
  EXPECT_THAT(batch.dense, ElementsAre(2.0F, 4.0F));
  EXPECT_THAT(batch.labels, ElementsAre(1.0F, 0.0F));
  EXPECT_THAT(batch.row_numbers, ElementsAre(0, 2));
  EXPECT_THAT(batch.columns[0].offsets, ElementsAre(0, 1, 2));
  EXPECT_THAT(batch.columns[1].ids, ElementsAre(FeatureId(3), FeatureId(5)));
  EXPECT_EQ(counts.blank_dense, 0);
  EXPECT_EQ(counts.blank_categories, 0);
}

TEST(FileSource, PoolsListsOfAnyLength) {
  const Folder folder;
  Recipe recipe = csv();
  config::CategoricalColumn tags;
  tags.name = "tags";
  tags.separator = "|";
  tags.max_length = 2;
  recipe.category(tags);
  ReadCounts counts;
  const Batch batch =
      read_all(recipe, {folder.write("a", "click,tags\n1,a|b\n0,\n1,c\n1,a|b|c\n")}, {}, &counts);
  EXPECT_THAT(batch.columns[0].offsets, ElementsAre(0, 2, 2, 3, 5));
  EXPECT_EQ(counts.truncated_lists, 1);
}

TEST(FileSource, SharesIdsOfColumnsThatShareATable) {
  const Folder folder;
  Recipe recipe = csv();
  config::CategoricalColumn left{.name = "left"}, right{.name = "right"};
  left.table = right.table = "thing";
  recipe.category(left).category(right);
  const Batch batch = read_all(recipe, {folder.write("a", "click,left,right\n1,x,x\n")});
  EXPECT_EQ(recipe.schema.tables.size(), 1U);
  EXPECT_EQ(batch.columns[0].ids, batch.columns[1].ids);
}

}  // namespace
}  // namespace persia::data
