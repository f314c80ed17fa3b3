#include "train/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>

namespace persia::train {
namespace {

TEST(Threads, TrainersWithOneMaskShareItsCores) {
  const std::string cores = "a:0 a:1 a:2 a:3 a:4 a:5 a:6";
  EXPECT_EQ(fair_share(cores, {cores}), 7);
  EXPECT_EQ(fair_share(cores, {cores, cores, cores}), 2);
}

TEST(Threads, TrainersThatTheLauncherBoundKeepTheirOwnCores) {
  EXPECT_EQ(fair_share("a:0 a:1 a:2", {"a:0 a:1 a:2", "a:3 a:4 a:5"}), 3);
  // Two per socket.
  const std::string left = "a:0 a:1 a:2 a:3", right = "a:4 a:5 a:6 a:7";
  EXPECT_EQ(fair_share(right, {left, right, left, right}), 2);
}

TEST(Threads, CoresOfOtherHostsAreOtherCores) {
  EXPECT_EQ(fair_share("a:0 a:1", {"a:0 a:1", "b:0 b:1"}), 2);
}

TEST(Threads, ThirdsAddUpToWholeCores) {
  const std::string cores = "a:0 a:1 a:2";
  EXPECT_EQ(fair_share(cores, {cores, cores, cores}), 1);
  const std::string six = cores + " a:3 a:4 a:5";
  EXPECT_EQ(fair_share(six, {six, six, six}), 2);
}

TEST(Threads, EveryTrainerGetsOneAtLeast) {
  EXPECT_EQ(fair_share("a:0", {"a:0", "a:0", "a:0"}), 1);
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
