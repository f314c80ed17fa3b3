#include "train/eviction_journal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"

namespace persia::train {
namespace {

using Start = EvictionJournal::Start;

class EvictionJournalTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  table::EvictedRow row(std::uint64_t id, std::int64_t step) {
    return {schema_, FeatureId(id), Step(step), values_, state_};
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("persia-evicted-" + std::to_string(::getpid()));
  config::TableSchema schema_{.name = "user\"s", .table = {}, .salt = 0};
  std::vector<float> values_{0.25, -1.5};
  std::vector<float> state_{0.5, 5};
};

// The lines are a format that users read: they may grow keys, but not change these.
TEST_F(EvictionJournalTest, HasOneObjectALineAndGoesOnInTheSameFile) {
  schema_.table.eviction.journal = config::EvictionJournal::ids;
  EvictionJournal(path_, Start::anew).write(row(~std::uint64_t{0}, 3));
  std::ofstream(path_, std::ios::app) << "{\"table\":\"us";  // a killed process
  schema_.table.eviction.journal = config::EvictionJournal::rows;
  EvictionJournal(path_, Start::resumed).write(row(7, 4));
  EXPECT_EQ(read_text_file(path_), R"({"table":"user\"s","step":3,"id":18446744073709551615}
{"table":"user\"s","step":4,"id":7,"values":[0.25,-1.5],"state":[0.5,5.0]}
)");
}

TEST_F(EvictionJournalTest, ANewTrainingBeginsANewFile) {
  EvictionJournal(path_, Start::anew).write(row(1, 3));
  EvictionJournal(path_, Start::anew).write(row(2, 4));
  EXPECT_EQ(read_text_file(path_), "{\"table\":\"user\\\"s\",\"step\":4,\"id\":2}\n");
}

TEST_F(EvictionJournalTest, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(EvictionJournal("/nowhere/evicted-0.jsonl", Start::anew), UserError);
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EvictionJournal full("/dev/full", Start::anew);
  const auto many = [&] {
    full.write(row(1, 0));
    full.flush();
  };
  EXPECT_THROW(many(), Error);
}

}  // namespace
}  // namespace persia::train
