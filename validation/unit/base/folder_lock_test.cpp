#include "base/folder_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "folder_test.hpp"

namespace persia {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LockedFolder : public FolderTest {
 protected:
  // "free", or the refusal.
  std::string try_lock() const {
    try {
      const FolderLock lock(folder_, "output");
      return "free";
    } catch (const UserError& error) {
      return error.what();
    }
  }
};

TEST_F(LockedFolder, IsRefusedToASecondJobUntilTheFirstIsDone) {
  {
    const FolderLock lock(folder_, "output");
    EXPECT_THAT(try_lock(), HasSubstr("another job is writing into " + folder_.string() + " (output)"));
  }
  EXPECT_EQ(try_lock(), "free");
}

TEST_F(LockedFolder, StaysLockedWhenTheOwnerMoves) {
  std::vector<FolderLock> locks;
  FolderLock first(folder_, "output");
  locks.push_back(std::move(first));
  EXPECT_NE(try_lock(), "free");
  locks.clear();
  EXPECT_EQ(try_lock(), "free");
}

TEST_F(LockedFolder, HoldsNoFileOfItsOwn) {
  const FolderLock lock(folder_, "output");
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace persia
