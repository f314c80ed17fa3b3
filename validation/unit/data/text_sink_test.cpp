#include "data/text_sink.hpp"

#include <cerrno>

#include "base/file.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(TextSink, ShowsAFileOnlyWhenItIsWhole) {
  const Folder folder;
  {
    TextSink sink(folder.path() / "a", false);
    sink.write("text");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  TextSink sink(folder.path() / "a", false);
  sink.write("text");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
  sink.close();
  EXPECT_EQ(read_text_file(folder.path() / "a"), "text");
}

TEST(TextSink, NamesAPlaceWhereNoFileCanBeMade) {
  EXPECT_THROW({ TextSink sink("/proc/persia-cannot-be-made", false); }, Error);
}

// What writing `text` to a full disk says; /dev/full stands in for it.
std::string full_disk_error(const std::string& text, bool gzip) {
  const Folder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "a.tmp");
  try {
    TextSink sink(folder.path() / "a", gzip);
    sink.write(text);
    sink.close();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 1);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
    return error.what();
  }
  return "no error";
}

// A little text waits in memory until close(), much of it fails in write().
TEST(TextSink, GivesTheReasonOfAFullDisk) {
  std::string much;
  for (std::uint64_t i = 0; much.size() < 1 << 22; ++i) much += std::to_string(hash_bytes("much", i));
  for (const bool gzip : {false, true})
    for (const std::string& text : {std::string("text"), much}) {
      errno = ENOTTY;  // of some earlier call
      EXPECT_THAT(full_disk_error(text, gzip),
                  testing::MatchesRegex("cannot write .*/a.tmp: No space left on device"))
          << gzip << ", " << text.size() << " bytes";
    }
}

}  // namespace
}  // namespace persia::data
