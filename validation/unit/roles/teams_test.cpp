#include "roles/teams.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace persia::roles {
namespace {

TEST(Teams, OneProcessOwnsAndTrainsWithoutMpi) {
  const Teams teams = make_teams(sys::Communicator::self(), {1, 0});
  EXPECT_EQ(teams.role, Role::everything);
  EXPECT_EQ(teams.num_owners, 1);
  EXPECT_EQ(teams.num_trainers, 1);
  EXPECT_EQ(teams.owner_ranks, std::vector<int>{0});
  EXPECT_EQ(teams.trainer_ranks, std::vector<int>{0});
  EXPECT_EQ(teams.team.size(), 1);
  EXPECT_EQ(teams.trainers.size(), 1);
  ASSERT_EQ(teams.ranks.size(), 1U);
  EXPECT_GT(teams.ranks[0].pid, 0);
  EXPECT_EQ(teams.describe_self(), "the only process (on host " + teams.ranks[0].host + ")");
}

TEST(Teams, OwnersHoldContiguousEqualRanges) {
  EXPECT_EQ(owner_of(0, 3), OwnerIndex(0));
  EXPECT_EQ(owner_of(~std::uint64_t{0}, 3), OwnerIndex(2));
  std::vector<int> held(3);
  for (std::uint64_t i = 0; i < 30000; ++i)
    ++held[static_cast<std::size_t>(owner_of(random_bits(1, 1, i), 3).value())];
  for (const int count : held) EXPECT_NEAR(count, 10000, 400);
  for (std::uint64_t hash = 0; hash < 1000; ++hash)
    EXPECT_LE(owner_of(hash << 54, 7), owner_of((hash + 1) << 54, 7));
}

TEST(Teams, RolesHaveNames) {
  EXPECT_EQ(name_of(Role::embedding), "embedding");
  EXPECT_EQ(name_of(Role::trainer), "trainer");
  EXPECT_EQ(name_of(Role::everything), "everything");
}

}  // namespace
}  // namespace persia::roles
