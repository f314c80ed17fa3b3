#include <cstdlib>

#include "fixtures.hpp"

namespace persia::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> result;
  for (const auto& path : paths) result.push_back(path.filename().string());
  return result;
}

std::string expansion_error(const config::Data& data, const std::vector<std::string>& patterns,
                            const Folder& folder) {
  return user_error([&] { (void)expand_files(data, patterns, folder.path()); });
}

TEST(ExpandFiles, SortsWithinAPatternAndKeepsTheOrderOfPatterns) {
  const Folder folder;
  for (const char* name : {"b2", "B1", "a", "b10", "z"}) folder.write(name, "x");
  EXPECT_EQ(names(expand_files({}, {"z", "[bB]*", "a"}, folder.path())),
            (std::vector<std::string>{"z", "B1", "b10", "b2", "a"}));
}

TEST(ExpandFiles, LooksInTheFolderTheRunFileNames) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  const auto file = folder.write("sub/a", "x");
  config::Data data;
  data.directory = "sub";
  EXPECT_THAT(expand_files(data, {"a"}, folder.path()), ElementsAre(file));
  ::setenv("PERSIA_TEST_FOLDER", folder.path().c_str(), 1);
  data.directory = "${PERSIA_TEST_FOLDER}/sub";
  EXPECT_THAT(expand_files(data, {"*"}, "/elsewhere"), ElementsAre(file));
  data.directory = "${PERSIA_TEST_UNSET}";
  EXPECT_THAT(expansion_error(data, {"a"}, folder), HasSubstr("PERSIA_TEST_UNSET"));
  EXPECT_THAT(expand_files({}, {file.string()}, "/elsewhere"), ElementsAre(file));
}

TEST(ExpandFiles, TakesANameWithBracketsThatIsThere) {
  const Folder folder;
  folder.write("day[1].csv", "x");
  EXPECT_EQ(names(expand_files({}, {"day[1].csv"}, folder.path())), (std::vector<std::string>{"day[1].csv"}));
}

TEST(ExpandFiles, RefusesNothingEmptyTwiceAndFolders) {
  const Folder folder;
  folder.write("a.csv", "x");
  folder.write("empty.csv", "");
  std::filesystem::create_directory(folder.path() / "sub");
  std::filesystem::create_symlink(folder.path() / "a.csv", folder.path() / "link");
  EXPECT_THAT(expansion_error({}, {"absent*"}, folder), HasSubstr("no file matches"));
  EXPECT_THAT(expansion_error({}, {"absent"}, folder), HasSubstr("no file matches"));
  EXPECT_THAT(expansion_error({}, {"empty.csv"}, folder), HasSubstr("empty.csv is empty"));
  EXPECT_THAT(expansion_error({}, {"a.csv", "a*"}, folder), HasSubstr("named twice"));
  EXPECT_THAT(expansion_error({}, {"a.csv", "link"}, folder), HasSubstr("named twice"));
  EXPECT_THAT(expansion_error({}, {"sub"}, folder), HasSubstr("is a directory"));
}

}  // namespace
}  // namespace persia::data
