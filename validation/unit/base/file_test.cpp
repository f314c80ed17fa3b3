#include "base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "folder_test.hpp"

namespace persia {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class File : public FolderTest {};

TEST_F(File, ReadsBackExactlyWhatWasWritten) {
  std::string text(200000, 'x');
  text += std::string("\0\r\n\xFF", 4);
  write_file_atomically(folder_ / "a", text);
  EXPECT_EQ(read_text_file(folder_ / "a"), text);
  write_file_atomically(folder_ / "a", "");
  EXPECT_EQ(read_text_file(folder_ / "a"), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "a temporary file was left over";
}

TEST_F(File, NamesTheMissingFileAsTheUsersFault) {
  try {
    (void)read_text_file(folder_ / "none");
    FAIL() << "nothing thrown";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr((folder_ / "none").string()));
    EXPECT_THAT(e.what(), HasSubstr("No such file"));
  }
  EXPECT_THROW((void)read_text_file(folder_), UserError);
}

TEST_F(File, RefusesToWriteWhereThereIsNoFolder) {
  EXPECT_THROW(write_file_atomically(folder_ / "none" / "a", "x"), Error);
  EXPECT_THROW(sync_path(folder_ / "none"), Error);
  EXPECT_THROW(rename_durably(folder_ / "none", folder_ / "b"), Error);
}

// A limit on file size acts as a full disk does: the write fails in the middle.
TEST_F(File, LeavesTheOldFileWhenWritingFails) {
  write_file_atomically(folder_ / "a", "old");
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(write_file_atomically(folder_ / "a", std::string(5000, 'n')), Error);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_action);
  EXPECT_EQ(read_text_file(folder_ / "a"), "old");
}

TEST_F(File, RenameReplacesAFileAndMovesAFolder) {
  write_file_atomically(folder_ / "a", "new");
  write_file_atomically(folder_ / "b", "old");
  rename_durably(folder_ / "a", folder_ / "b");
  EXPECT_EQ(read_text_file(folder_ / "b"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  fs::create_directory(folder_ / "d.tmp");
  rename_durably(folder_ / "d.tmp", folder_ / "d");
  EXPECT_TRUE(fs::is_directory(folder_ / "d"));
}

TEST_F(File, SyncsFilesAndFolders) {
  write_file_atomically(folder_ / "a", "x");
  EXPECT_NO_THROW(sync_path(folder_ / "a"));
  EXPECT_NO_THROW(sync_path(folder_));
}

TEST_F(File, AWritableFolderIsMadeAndLeftAsItWas) {
  require_writable_folder(folder_ / "a" / "b", "output");
  EXPECT_TRUE(fs::is_empty(folder_ / "a" / "b"));
}

// As ranks of a job do, whose process numbers are equal where each has a container of its own.
TEST_F(File, ManyFindAFolderWritableAtTheSameTime) {
  std::atomic<int> failures = 0;
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 8; ++rank)
    ranks.emplace_back([&] {
      for (int i = 0; i < 200; ++i) try {
          require_writable_folder(folder_ / "shared", "output");
        } catch (const Error&) {
          ++failures;
        }
    });
  for (std::thread& rank : ranks) rank.join();
  EXPECT_EQ(failures, 0);
  EXPECT_TRUE(fs::is_empty(folder_ / "shared"));
}

TEST_F(File, AFolderThatCannotBeWrittenIsTheUsersFault) {
  write_file_atomically(folder_ / "file", "x");
  for (const fs::path& folder : {folder_ / "file", folder_ / "file" / "under", fs::path("/proc")}) {
    try {
      require_writable_folder(folder, "checkpoint.directory");
      ADD_FAILURE() << folder << " was accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(folder.string() + " (checkpoint.directory)"));
    }
  }
}

}  // namespace
}  // namespace persia
