#include "data/text_sink.hpp"

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

TEST(TextSink, ReportsAFullDisk) {
  EXPECT_THROW({ TextSink sink("/proc/persia-cannot-be-made", false); }, Error);
}

}  // namespace
}  // namespace persia::data
