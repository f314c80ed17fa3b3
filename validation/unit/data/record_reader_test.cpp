#include "data/record_reader.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

const RecordFormat kCsv{.delimiter = ',', .quotes = true, .trims = true, .comment = "|"};

std::vector<std::string> texts(const std::filesystem::path& path, const RecordFormat& format = kCsv) {
  RecordReader reader(path, format);
  std::vector<std::string> result;
  while (const std::optional<Record> record = reader.next())
    result.push_back(std::to_string(record->line) + ":" + std::string(record->text));
  return result;
}

std::string fault(const std::filesystem::path& path) {
  return user_error([&] { (void)texts(path); });
}

TEST(RecordReader, GivesTheSameRowsWhateverEndsTheLines) {
  const Folder folder;
  const std::vector<std::string> rows{"1:a,b", "2:c,d"};
  for (const char* text :
       {"a,b\nc,d\n", "a,b\r\nc,d\r\n", "a,b\nc,d", "a,b\r\nc,d", "a,b\nc,d\n\n", "a,b\r\nc,d\r\n\r\n",
        "\xEF\xBB\xBF"
        "a,b\nc,d\n"})
    EXPECT_EQ(texts(folder.write("a", text)), rows) << text;
}

TEST(RecordReader, CountsCommentAndEmptyLinesButGivesNoRowsForThem) {
  const Folder folder;
  EXPECT_EQ(texts(folder.write("a", "|x \"y\na\n\n|\nb\n")), (std::vector<std::string>{"2:a", "5:b"}));
}

TEST(RecordReader, KeepsNewlinesInsideQuotes) {
  const Folder folder;
  EXPECT_EQ(texts(folder.write("a", "1,\"x\ny\"\n2,\"a \"\"b\"\"\",\"\n\"\n3,4\n")),
            (std::vector<std::string>{"1:1,\"x\ny\"", "3:2,\"a \"\"b\"\"\",\"\n\"", "5:3,4"}));
}

TEST(RecordReader, TakesAQuoteInsideAnUnquotedFieldForACharacter) {
  const Folder folder;
  EXPECT_EQ(texts(folder.write("a", "5\" pipe,1\n6,2\n")),
            (std::vector<std::string>{"1:5\" pipe,1", "2:6,2"}));
}

TEST(RecordReader, DoesNotInterpretQuotesInTabSeparatedFiles) {
  const Folder folder;
  EXPECT_EQ(texts(folder.write("a", "\"a\nb\n"), RecordFormat{}), (std::vector<std::string>{"1:\"a", "2:b"}));
}

TEST(RecordReader, NamesThePlaceOfAQuoteThatIsNeverClosed) {
  const Folder folder;
  for (const char* tail : {"", "\n", "\nmore,text\n", "\nmore,text"})
    EXPECT_THAT(fault(folder.write("a", std::string("1,2\n3,\"open,4") + tail)),
                testing::HasSubstr("a:2:3: the quote that opens here is never closed"))
        << tail;
}

TEST(RecordReader, NamesThePlaceOfAQuoteThatIsFollowedByText) {
  const Folder folder;
  EXPECT_THAT(fault(folder.write("a", "1,\"x\"y\n")), testing::HasSubstr("a:1:3: the quote"));
  EXPECT_THAT(fault(folder.write("a", "1,\"open\n2,\"x\",3\n")), testing::HasSubstr("a:1:3: the quote"));
}

TEST(RecordReader, GivesRowsLongerThanItsBuffer) {
  const Folder folder;
  const std::string wide(3 << 20, 'x');
  EXPECT_EQ(texts(folder.write("a", "1\n" + wide + "\n2\n")),
            (std::vector<std::string>{"1:1", "2:" + wide, "3:2"}));
}

TEST(RecordReader, RefusesRowsThatCannotBeRows) {
  const Folder folder;
  EXPECT_THAT(fault(folder.write("a", "1\n" + std::string((64 << 20) + 9, 'x'))),
              testing::HasSubstr("a:2: a row of more than 64 MiB"));
}

// The three damages of a compressed file: never a quiet end, always the name and the rows read.
TEST(RecordReader, ReportsCompressedFilesThatEndEarlyOrAreDamaged) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += criteo_row("0", std::to_string(i * i), std::to_string(i * 77777)) + "\n";
  const std::string packed = gzip(text);
  EXPECT_THAT(fault(folder.write("a.gz", packed.substr(0, packed.size() * 6 / 10))),
              testing::MatchesRegex(".*a.gz ends early.* [1-9][0-9]+ rows were read so far.*"));
  EXPECT_THAT(fault(folder.write("a.gz", packed.substr(0, packed.size() - 4))),
              testing::MatchesRegex(".*a.gz ends early.* 1000 rows were read so far.*"));
  std::string altered = packed;
  altered[altered.size() / 2] = static_cast<char>(altered[altered.size() / 2] ^ 1);
  EXPECT_THAT(fault(folder.write("a.gz", altered)),
              testing::MatchesRegex(".*a.gz is damaged.* [0-9]+ rows were read so far.*"));
}

TEST(RecordReader, DoesNotCountTheHeaderAmongTheRowsOfADamagedFile) {
  const Folder folder;
  const std::string packed = gzip("a,b\n1,2\n3,4\n");
  RecordReader reader(folder.write("a.gz", packed.substr(0, packed.size() - 4)), kCsv);
  EXPECT_EQ(reader.take_header().value().text, "a,b");
  EXPECT_THAT(user_error([&] {
                while (reader.next()) continue;
              }),
              testing::HasSubstr(" 2 rows were read so far"));
}

TEST(RecordReader, SaysThatAFileIsNoText) {
  const Folder folder;
  const auto wide = [](const std::string& text, bool big_endian) {
    std::string bytes;
    for (const char c : text) bytes += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  const std::string text = "a,\"b\"\n1,2\n";
  for (const std::string& bytes :
       {"\xFF\xFE" + wide(text, false), "\xFE\xFF" + wide(text, true), wide(text, false), wide(text, true)})
    for (const std::string& stored : {bytes, gzip(bytes)})
      EXPECT_THAT(fault(folder.write("a", stored)),
                  testing::MatchesRegex(".*a:1: the line is not UTF-8 text \\(UTF-16\\?\\).*iconv.*"));
  EXPECT_EQ(texts(folder.write("a", std::string("1,2\n3,\0\n", 8))).size(), 2U);  // not the first line
}

TEST(RecordReader, VerifyingTheRestFindsDamageBehindTheRowsRead) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i * 7919) + ",b\n";
  const std::string packed = gzip(text);
  RecordReader good(folder.write("good.gz", packed), kCsv);
  EXPECT_TRUE(good.next().has_value());
  EXPECT_NO_THROW(good.verify_rest());
  EXPECT_FALSE(good.next().has_value());
  RecordReader cut(folder.write("cut.gz", packed.substr(0, packed.size() - 1)), kCsv);
  EXPECT_TRUE(cut.next().has_value());
  EXPECT_THAT(user_error([&] { cut.verify_rest(); }), testing::HasSubstr("ends early"));
}

TEST(RecordReader, FindsLineAndColumnInsideARow) {
  EXPECT_EQ(place_in("abc", 2, 7).line, 7);
  EXPECT_EQ(place_in("abc", 2, 7).column, 3);
  EXPECT_EQ(place_in("a\nb\ncd", 5, 7).line, 9);
  EXPECT_EQ(place_in("a\nb\ncd", 5, 7).column, 2);
}

}  // namespace
}  // namespace persia::data
