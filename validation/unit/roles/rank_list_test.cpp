#include "roles/rank_list.hpp"

#include <gtest/gtest.h>

namespace persia::roles {
namespace {

TEST(RankList, ReadsAsPeopleWrite) {
  EXPECT_EQ(rank_list({0}), "rank 0");
  EXPECT_EQ(rank_list({1, 2}), "ranks 1-2");
  EXPECT_EQ(rank_list({0, 2, 3, 4, 9}), "ranks 0, 2-4, 9");
}

}  // namespace
}  // namespace persia::roles
