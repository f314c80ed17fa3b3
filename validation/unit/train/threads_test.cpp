#include "train/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <numeric>
#include <string>
#include <utility>

namespace persia::train {
namespace {

using roles::RankInfo;
using roles::Role;

RankInfo trainer(const std::string& host, std::vector<int> cores) {
  return {.role = Role::trainer, .host = host, .cores = std::move(cores)};
}

RankInfo owner(const std::string& host, std::vector<int> cores) {
  return {.role = Role::embedding, .host = host, .cores = std::move(cores)};
}

TEST(Threads, TrainersWithOneMaskShareItsCores) {
  const RankInfo one = trainer("a", {0, 1, 2, 3, 4, 5, 6});
  EXPECT_EQ(fair_share(one, {one}), 7);
  EXPECT_EQ(fair_share(one, {one, one, one}), 2);
}

TEST(Threads, AnOwnerKeepsACoreOfItsHost) {
  const RankInfo one = trainer("a", {0, 1, 2, 3}), serves = owner("a", {0, 1, 2, 3});
  EXPECT_EQ(fair_share(one, {serves, one}), 3);
  EXPECT_EQ(fair_share(one, {serves, serves, one}), 2);
  EXPECT_EQ(fair_share(one, {owner("b", {0, 1, 2, 3}), one}), 4);
  EXPECT_EQ(fair_share(one, {owner("a", {4}), one}), 4);
}

TEST(Threads, TrainersThatTheLauncherBoundKeepTheirOwnCores) {
  EXPECT_EQ(fair_share(trainer("a", {0, 1, 2}), {trainer("a", {0, 1, 2}), trainer("a", {3, 4, 5})}), 3);
  // Two per socket.
  const RankInfo left = trainer("a", {0, 1, 2, 3}), right = trainer("a", {4, 5, 6, 7});
  EXPECT_EQ(fair_share(right, {left, right, left, right}), 2);
}

TEST(Threads, CoresOfOtherHostsAreOtherCores) {
  EXPECT_EQ(fair_share(trainer("a", {0, 1}), {trainer("a", {0, 1}), trainer("b", {0, 1})}), 2);
}

TEST(Threads, AnEmbeddingRankTakesTheCoresThatNoTrainerMayUse) {
  const RankInfo serves = owner("a", {0, 1, 2, 3});
  const auto share = [&](const std::vector<RankInfo>& all) {
    return choose_embedding_threads(0, serves, all);
  };
  EXPECT_EQ(share({serves}), 4);
  EXPECT_EQ(share({serves, serves}), 2);
  EXPECT_EQ(share({serves, trainer("b", {0, 1, 2, 3})}), 4);
  EXPECT_EQ(share({serves, trainer("a", {0, 1, 2, 3})}), 1);
  EXPECT_EQ(share({serves, trainer("a", {3, 4, 5})}), 3);
  EXPECT_EQ(choose_embedding_threads(7, serves, {serves}), 7);
  EXPECT_EQ(choose_embedding_threads(0, trainer("a", {0, 1}), {trainer("a", {0, 1})}), 1);
  std::vector<int> many(100);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_EQ(choose_embedding_threads(0, owner("a", many), {owner("a", many)}), 16);
}

TEST(Threads, ThirdsAddUpToWholeCores) {
  const RankInfo three = trainer("a", {0, 1, 2}), six = trainer("a", {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(fair_share(three, {three, three, three}), 1);
  EXPECT_EQ(fair_share(six, {six, six, six}), 2);
}

TEST(Threads, EveryTrainerGetsOneAtLeast) {
  const RankInfo one = trainer("a", {0});
  EXPECT_EQ(fair_share(one, {owner("a", {0}), owner("a", {0}), one, one, one}), 1);
}

TEST(Threads, ANumberThatWasAskedForIsTakenAndZeroGivesAllAllowedCores) {
  const roles::Teams teams = roles::make_teams(sys::Communicator::self(), {1, 0});
  EXPECT_EQ(choose_threads(1, teams), 1);
  EXPECT_EQ(choose_threads(1000, teams), 1000);
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(choose_threads(0, teams), CPU_COUNT(&set));
}

}  // namespace
}  // namespace persia::train
