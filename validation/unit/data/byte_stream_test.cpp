#include "data/byte_stream.hpp"

#include "fixtures.hpp"

namespace persia::data {
namespace {

struct Content {
  std::string bytes;
  StreamState state = StreamState::more;
};

Content read_in_blocks(const std::filesystem::path& path, std::size_t block_bytes) {
  const std::unique_ptr<ByteStream> stream = open_byte_stream(path);
  std::string block(block_bytes, '\0');
  Content content;
  while (content.state == StreamState::more) {
    const StreamRead got = stream->read(block);
    content.bytes.append(block, 0, got.bytes);
    content.state = got.state;
  }
  return content;
}

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

TEST(ByteStream, GivesPlainAndGzipFilesAlikeInBlocksOfAnySize) {
  const Folder folder;
  const std::string text = numbers(5000);
  const auto plain = folder.write("plain.gz", text);  // the name does not decide
  const auto packed = folder.write("packed.txt", gzip(text));
  for (const std::size_t block : {1U, 7U, 4096U, 1U << 20}) {
    for (const auto& path : {plain, packed}) {
      const Content content = read_in_blocks(path, block);
      EXPECT_EQ(content.bytes, text);
      EXPECT_EQ(content.state, StreamState::end);
    }
  }
}

TEST(ByteStream, ReadsAllMembersAndPassesOverZeroPadding) {
  const Folder folder;
  const auto path = folder.write("a", gzip("first\n") + gzip("") + gzip("second\n") + std::string(512, '\0'));
  const Content content = read_in_blocks(path, 100);
  EXPECT_EQ(content.bytes, "first\nsecond\n");
  EXPECT_EQ(content.state, StreamState::end);
}

TEST(ByteStream, TellsATruncatedGzipFileFromAnEnd) {
  const Folder folder;
  const std::string packed = gzip(numbers(1000));
  for (std::size_t keep = 2; keep < packed.size(); keep += keep < 20 || keep + 20 > packed.size() ? 1 : 97)
    EXPECT_EQ(read_in_blocks(folder.write("a", packed.substr(0, keep)), 4096).state, StreamState::ends_early)
        << keep;
}

TEST(ByteStream, TellsAFlippedByteFromAnEnd) {
  const Folder folder;
  const std::string packed = gzip(numbers(1000));
  for (std::size_t at = 10; at < packed.size(); at += 131) {
    std::string altered = packed;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    const StreamState state = read_in_blocks(folder.write("a", altered), 4096).state;
    EXPECT_TRUE(state == StreamState::damaged || state == StreamState::ends_early) << at;
  }
}

TEST(ByteStream, TakesBytesBehindTheLastMemberForDamage) {
  const Folder folder;
  EXPECT_EQ(read_in_blocks(folder.write("a", gzip("x\n") + "tail"), 64).state, StreamState::damaged);
}

TEST(ByteStream, NamesAFileThatCannotBeOpenedOrRead) {
  const Folder folder;
  EXPECT_THAT(user_error([&] { (void)open_byte_stream(folder.path() / "absent"); }),
              testing::HasSubstr("absent: No such file"));
  EXPECT_THAT(user_error([&] { (void)open_byte_stream(folder.path()); }), testing::HasSubstr("directory"));
}

}  // namespace
}  // namespace persia::data
