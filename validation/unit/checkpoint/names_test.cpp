#include "checkpoint/names.hpp"

#include <gtest/gtest.h>

namespace persia::checkpoint {
namespace {

TEST(Names, OfFoldersSortByStep) {
  EXPECT_EQ(folder_name(Step(123)), "step-000000000123");
  EXPECT_EQ(step_of_folder("step-000000000123"), Step(123));
  EXPECT_EQ(step_of_folder(folder_name(Step(1234567890123456))), Step(1234567890123456));
}

TEST(Names, OtherFoldersAreNoSteps) {
  for (const char* name : {"step-", "step-1x", "step-000000000123.tmp", "step--1", "steps", "", "LATEST"})
    EXPECT_FALSE(step_of_folder(name)) << name;
}

TEST(Names, OfTablesBecomeLinks) {
  EXPECT_EQ(link_name("native-country"), "native-country");
  EXPECT_EQ(link_name("a/b%c"), "a%2Fb%25c");
  EXPECT_EQ(link_name("."), "%2E");
  EXPECT_EQ(link_name("bottom.0.weight"), "bottom.0.weight");
}

TEST(Names, OfFilesSayOwnerAndCount) {
  EXPECT_EQ(tables_file(OwnerIndex(0), 2), "embedding-0000-of-0002.h5");
}

}  // namespace
}  // namespace persia::checkpoint
