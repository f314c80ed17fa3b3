#include "observe/run_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "base/error.hpp"

namespace persia::observe {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RunLogTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<json> lines() {
    std::ifstream file(path_);
    std::vector<json> result;
    for (std::string line; std::getline(file, line);) result.push_back(json::parse(line));
    return result;
  }

  fs::path folder_ = fs::temp_directory_path() / ("persia-log-" + std::to_string(::getpid()));
  fs::path path_ = folder_ / "run" / "log.jsonl";
};

TEST_F(RunLogTest, WritesOneObjectPerLineAtOnce) {
  RunLog log(path_);
  log.write("start", {{"steps", 7}});
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(lines()[0]["event"], "start");
  EXPECT_EQ(lines()[0]["steps"], 7);
  EXPECT_THAT(std::string(lines()[0]["time"]), ::testing::EndsWith("Z"));
  log.finish("ok", {{"auc", 0.75}});
  EXPECT_EQ(lines().back()["status"], "ok");
}

TEST_F(RunLogTest, NeverWritesABareNaN) {
  RunLog log(path_);
  log.write("interval", {{"loss", std::numeric_limits<double>::quiet_NaN()},
                         {"rate", std::numeric_limits<double>::infinity()},
                         {"text", "\xFF\xFE"}});
  EXPECT_TRUE(lines().at(0)["loss"].is_null());
  EXPECT_TRUE(lines().at(0)["rate"].is_null());
}

TEST_F(RunLogTest, SaysSoWhenTheRunEndsEarly) {
  { RunLog log(path_); }
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_EQ(lines()[0]["event"], "end");
  EXPECT_EQ(lines()[0]["status"], "failed");
  EXPECT_EQ(lines()[0]["message"], "ended early");
}

TEST_F(RunLogTest, HasExactlyOneEnd) {
  {
    RunLog log(path_);
    log.finish("ok", nullptr);
    EXPECT_THROW(log.write("interval", nullptr), Error);
    EXPECT_THROW(log.finish("failed", nullptr), Error);
  }
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(RunLogTest, GoesOnInTheSameFileAfterALineCutShort) {
  fs::create_directories(path_.parent_path());
  std::ofstream(path_) << "{\"event\":\"start\"}\n{\"event\":\"inter";
  { RunLog log(path_); }
  std::ifstream file(path_);
  std::vector<std::string> raw;
  for (std::string line; std::getline(file, line);) raw.push_back(line);
  ASSERT_EQ(raw.size(), 3U);
  EXPECT_EQ(json::parse(raw[2])["event"], "end");
}

TEST_F(RunLogTest, LogsNowhereWithoutAPath) {
  RunLog log("");
  log.write("start", nullptr);
  log.finish("ok", nullptr);
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(RunLogTest, AFullDiskIsNoEndOfTheTraining) {
  RunLog log("/dev/full");
  EXPECT_NO_THROW(log.write("start", nullptr));
  EXPECT_NO_THROW(log.finish("ok", nullptr));
}

TEST_F(RunLogTest, SaysWhichFileCannotBeOpened) {
  fs::create_directories(path_);
  try {
    RunLog log(path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr(path_.string()));
  }
}

}  // namespace
}  // namespace persia::observe
