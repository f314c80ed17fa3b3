#include "base/thread_team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace persia {
namespace {

TEST(PartOf, PartsFollowEachOtherAndAreEqualWithinOne) {
  for (const std::size_t size : {0, 1, 2, 7, 8, 1000})
    for (const std::size_t count : {1, 2, 3, 8}) {
      std::size_t end = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const Part part = part_of(size, k, count);
        EXPECT_EQ(part.first, end);
        EXPECT_GE(part.size, size / count);
        EXPECT_LE(part.size, size / count + 1);
        end = part.first + part.size;
      }
      EXPECT_EQ(end, size);
    }
}

TEST(ThreadTeam, EveryThreadDoesItsPartOfEveryPiece) {
  for (const std::int32_t size : {1, 2, 3, 8}) {
    ThreadTeam team(size);
    EXPECT_EQ(team.size(), size);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(size));
    for (int piece = 1; piece <= 3000; ++piece)
      team.run([&](std::int32_t k) { sums[static_cast<std::size_t>(k)] += piece; });
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, 3000 * 3001 / 2);
  }
}

TEST(ThreadTeam, WorksAfterItSlept) {
  ThreadTeam team(3);
  for (int piece = 0; piece < 5; ++piece) {
    std::vector<int> done(3);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    team.run([&](std::int32_t k) {
      if (k > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the caller sleeps too
      done[static_cast<std::size_t>(k)] = 1;
    });
    EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 3);
  }
}

TEST(ThreadTeam, UsesThreadsOfItsOwnBesideTheCaller) {
  ThreadTeam team(4);
  std::vector<std::thread::id> ids(4);
  team.run([&](std::int32_t k) { ids[static_cast<std::size_t>(k)] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ((std::set<std::thread::id>(ids.begin(), ids.end()).size()), 4U);
}

TEST(ThreadTeam, TheFirstFailureComesOutWhenAllAreDoneAndTheTeamGoesOn) {
  ThreadTeam team(4);
  std::vector<int> done(4);
  const auto fails = [&](std::int32_t k) {
    done[static_cast<std::size_t>(k)] = 1;
    if (k >= 2) fail("thread {}", k);
  };
  try {
    team.run(fails);
    FAIL() << "no exception";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "thread 2");
  }
  EXPECT_EQ(done, (std::vector<int>{1, 1, 1, 1}));
  EXPECT_NO_THROW(team.run([](std::int32_t) {}));
}

TEST(ThreadTeam, EndsWithoutAnyWork) {
  for (int i = 0; i < 100; ++i) ThreadTeam team(3);
}

}  // namespace
}  // namespace persia
