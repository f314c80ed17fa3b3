#include "commands/generate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace persia::commands {
namespace {

namespace fs = std::filesystem;

class Generate : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "persia-generate-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What the command prints.
  std::string run(const std::string& arguments) {
    CLI::App app("", "persia");
    Invocation invocation;
    register_generate(app, invocation);
    app.parse("generate criteo --output " + folder_.string() + " " + arguments);
    EXPECT_FALSE(invocation.wants_mpi);
    Process process;
    ::testing::internal::CaptureStdout();
    const int code = invocation.action(process);
    std::fflush(stdout);
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(code, 0);
    return text;
  }

  fs::path folder_;
};

TEST_F(Generate, PrintsTheBestPossibleAucAndWritesTheFiles) {
  const std::string text = run("--rows 500 --test-rows 300 --seed 3");
  EXPECT_NE(text.find("best possible test auc 0."), std::string::npos) << text;
  for (const char* name : {"train.tsv", "test.tsv", "teacher.json"})
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
}

TEST_F(Generate, PrintsOneJsonObject) {
  const auto json = nlohmann::json::parse(run("--rows 500 --test-rows 300 --json --gzip"));
  EXPECT_EQ(json.at("train_rows"), 500);
  EXPECT_GT(json.at("best_possible_test_auc").get<double>(), 0.5);
  EXPECT_TRUE(fs::exists(folder_ / "train.tsv.gz"));
}

TEST_F(Generate, WritesNullForTheAucOfOneClass) {
  EXPECT_TRUE(
      nlohmann::json::parse(run("--rows 1 --test-rows 1 --json")).at("best_possible_test_auc").is_null());
}

}  // namespace
}  // namespace persia::commands
