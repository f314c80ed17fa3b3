// The run files of inputs/ and their README hold what the program really takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "config/environment.hpp"
#include "config/reader.hpp"
#include "config/writer.hpp"

namespace persia::config {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path inputs = PERSIA_INPUTS;

TEST(Inputs, AreAllGoodRunFilesThatResolveToThemselves) {
  ::setenv(data_directory_variable.name, "/data", 1);
  int files = 0;
  for (const auto& entry : fs::directory_iterator(inputs)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const std::string text = resolved_text(read_run_file(entry.path(), {}));
    EXPECT_EQ(resolved_text(parse_run_file(text, "resolved.yaml", {})), text) << entry.path();
  }
  ::unsetenv(data_directory_variable.name);
  EXPECT_GE(files, 5);
}

TEST(Inputs, AdultRunsInEveryMode) {
  ::setenv(data_directory_variable.name, "/data", 1);
  for (const char* mode : {"sync", "hybrid", "async"})
    EXPECT_NO_THROW((void)read_run_file(inputs / "adult.yaml", {std::string("training.mode=") + mode}))
        << mode;
  EXPECT_EQ(read_run_file(inputs / "adult.yaml", {}).data.directory, "/data/adult");
  ::unsetenv(data_directory_variable.name);
  EXPECT_THROW((void)read_run_file(inputs / "adult.yaml", {}), UserError);
}

// inputs/README.md shows `persia train --print-default` as it is; paste that output there when keys change.
TEST(Inputs, ReadmeListsEveryKeyAsTheProgramPrintsThem) {
  EXPECT_THAT(read_text_file(inputs / "README.md"), HasSubstr("```yaml\n" + default_text() + "```\n"));
}

TEST(Inputs, FirstRunFileOfTheReadmeIsGood) {
  const std::string readme = read_text_file(inputs / "README.md");
  const std::string opening = "```yaml\n";
  const std::size_t begin = readme.find(opening) + opening.size();
  const RunFile run =
      parse_run_file(readme.substr(begin, readme.find("```", begin) - begin), "clicks.yaml", {});
  EXPECT_EQ(run.name, "clicks");
  EXPECT_EQ(run.tables.at(0).table.dim, 32);
  EXPECT_EQ(run.tables.at(1).table.dim, 16);
}

}  // namespace
}  // namespace persia::config
