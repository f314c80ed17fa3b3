#include "base/block_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "file_size_limit.hpp"
#include "folder_test.hpp"

namespace persia {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class BlockFileTest : public FolderTest {};

// Filled with what only this version of this block holds.
BlockBuffer filled_block(std::size_t bytes, std::int64_t block, std::uint64_t version) {
  BlockBuffer buffer(bytes);
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t word = random_bits(version, static_cast<std::uint64_t>(block), i);
    std::memcpy(buffer.data() + i, &word, sizeof word);
  }
  return buffer;
}

void expect_version(const BlockFile& file, std::int64_t block, std::uint64_t version) {
  BlockBuffer read(file.block_bytes());
  file.read(block, read.data());
  const BlockBuffer wanted = filled_block(file.block_bytes(), block, version);
  EXPECT_EQ(std::memcmp(read.data(), wanted.data(), file.block_bytes()), 0) << "block " << block;
}

TEST_F(BlockFileTest, GivesBackTheLastVersionOfEveryBlock) {
  std::vector<fs::path> folders{folder_};
  if (fs::exists("/dev/shm")) folders.emplace_back("/dev/shm");  // where O_DIRECT may be refused
  for (const fs::path& folder : folders) {
    for (const std::size_t bytes : {std::size_t{4096}, std::size_t{53248}}) {
      BlockFile file(folder, bytes);
      EXPECT_EQ(file.block_bytes(), bytes);
      std::map<std::int64_t, std::uint64_t> versions;
      for (std::uint64_t i = 0; i < 100; ++i) {
        const auto block = static_cast<std::int64_t>(random_below(1, 0, i, 40) * (i % 3 == 0 ? 1 : 1000));
        file.write(block, filled_block(bytes, block, i).data());
        versions[block] = i;
      }
      for (const auto& [block, version] : versions) expect_version(file, block, version);
    }
  }
}

TEST_F(BlockFileTest, IsWrittenAndReadByManyThreadsAtTheSameTime) {
  BlockFile file(folder_, 4096);
  std::vector<std::thread> threads;
  for (std::int64_t k = 0; k < 8; ++k)
    threads.emplace_back([&file, k] {
      for (std::int64_t i = 0; i < 20; ++i) {
        const std::int64_t block = i * 8 + k;
        file.write(block, filled_block(4096, block, 5).data());
        expect_version(file, block, 5);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::int64_t block = 0; block < 160; ++block) expect_version(file, block, 5);
}

TEST_F(BlockFileTest, HasNoNameInItsFolder) {
  BlockFile file(folder_, 4096);
  file.write(3, filled_block(4096, 3, 1).data());
  EXPECT_TRUE(fs::is_empty(folder_));
}

// The flags of the open files without a name in the folder, as the system tells them.
std::vector<int> flags_of_nameless_files(const fs::path& folder) {
  std::vector<int> all;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the descriptor of this loop itself
    const std::string target = fs::read_symlink(entry.path(), gone).string();
    if (!target.starts_with(fs::canonical(folder).string() + "/") || !target.ends_with(" (deleted)"))
      continue;
    std::ifstream info(fs::path("/proc/self/fdinfo") / entry.path().filename());
    for (std::string word; info >> word;)
      if (word == "flags:" && info >> word) all.push_back(std::stoi(word, nullptr, 8));
  }
  return all;
}

TEST_F(BlockFileTest, SaysWhetherItPassesThePageCacheByAndIsGoneAtItsEnd) {
  {
    const BlockFile file(folder_, 4096);
    const std::vector<int> flags = flags_of_nameless_files(folder_);
    ASSERT_EQ(flags.size(), 1U);
    EXPECT_EQ((flags[0] & O_DIRECT) != 0, file.direct());
  }
  EXPECT_TRUE(flags_of_nameless_files(folder_).empty());
}

TEST_F(BlockFileTest, AFolderThatCannotHoldItIsTheUsersFault) {
  std::ofstream(folder_ / "file") << "x";
  for (const fs::path& folder : {folder_ / "absent", folder_ / "file", fs::path("/proc")}) {
    try {
      const BlockFile file(folder, 4096);
      ADD_FAILURE() << folder << " was accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("cannot make a scratch file in the folder " + folder.string() + ": "));
    }
  }
}

TEST_F(BlockFileTest, AWriteThatFailsSaysWhereAndWhatToDo) {
  BlockFile file(folder_, 8192);
  file.write(0, filled_block(8192, 0, 1).data());
  {
    const FileSizeLimit full(8192 + 4096);  // half of the second block
    try {
      file.write(1, filled_block(8192, 1, 1).data());
      ADD_FAILURE() << "the block was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 1);
      EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot write"), HasSubstr(folder_.string()),
                                      HasSubstr("File too large"), HasSubstr("ulimit -f")));
    }
  }
  file.write(1, filled_block(8192, 1, 2).data());
  expect_version(file, 0, 1);
  expect_version(file, 1, 2);
}

TEST_F(BlockFileTest, ABlockBehindTheEndCannotBeRead) {
  BlockFile file(folder_, 4096);
  file.write(0, filled_block(4096, 0, 1).data());
  BlockBuffer buffer(4096);
  try {
    file.read(1, buffer.data());
    ADD_FAILURE() << "the block was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot read"), HasSubstr(folder_.string())));
  }
}

TEST_F(BlockFileTest, HasBlocksOfWholeAlignedUnitsOnly) {
  for (const std::size_t bytes : {0, 512, 4097}) EXPECT_THROW(BlockFile(folder_, bytes), Error);
  for (int i = 0; i < 5; ++i) {
    const BlockBuffer buffer(8192);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kBlockAlignment, 0U);
    EXPECT_EQ(std::count(buffer.data(), buffer.data() + 8192, std::byte{0}), 8192);
  }
}

}  // namespace
}  // namespace persia
