// Roles, agreement and equality over real ranks. World: rank 0 embeds, the others train.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "roles/agree.hpp"
#include "roles/teams.hpp"

namespace persia::roles {
namespace {

using testing::HasSubstr;

class RolesTest : public testing::Test {
 protected:
  ~RolesTest() override { unsetenv("PERSIA_ROLE"); }
  sys::Communicator world = sys::Communicator::world();
  const int rank = world.rank();
  const int size = world.size();
};

TEST_F(RolesTest, CountsMakeTeams) {
  const Teams teams = make_teams(world.split(0), {1, 0});
  EXPECT_EQ(teams.role, rank == 0 ? Role::embedding : Role::trainer);
  EXPECT_EQ(teams.num_owners, 1);
  EXPECT_EQ(teams.num_trainers, size - 1);
  EXPECT_EQ(teams.index_in_role, rank == 0 ? 0 : rank - 1);
  EXPECT_EQ(teams.team.size(), rank == 0 ? 1 : size - 1);
  EXPECT_EQ(teams.trainers.size(), rank == 0 ? 1 : size - 1);
  EXPECT_EQ(teams.ranks.size(), static_cast<std::size_t>(size));
  EXPECT_EQ(teams.trainer_ranks.back(), size - 1);
  EXPECT_THAT(teams.describe_self(), HasSubstr(rank == 0 ? "embedding 0 (rank 0 on host " : "trainer "));
}

TEST_F(RolesTest, WorkersStandBetweenOwnersAndTrainersAndReadWithThem) {
  if (size < 3) GTEST_SKIP() << "an owner, a worker and a trainer are three ranks";
  const Teams teams = make_teams(world.split(0), {.embedding = 1, .trainer = 0, .worker = 1});
  EXPECT_EQ(teams.worker_ranks, std::vector<int>{1});
  EXPECT_EQ(teams.num_workers, 1);
  EXPECT_EQ(teams.num_trainers, size - 2);
  EXPECT_EQ(teams.trainers.size(), rank >= 2 ? size - 2 : 1);
  EXPECT_EQ(teams.readers.size(), rank >= 1 ? size - 1 : 1);
  EXPECT_EQ(teams.readers.rank(), rank >= 1 ? teams.rank_among_readers(rank) : 0);
  EXPECT_EQ(teams.reader_ranks().at(0), 1);
}

TEST_F(RolesTest, TheEnvironmentMakesTeamsInAnyOrder) {
  setenv("PERSIA_ROLE", rank == size - 1 ? "embedding" : "trainer", 1);
  const Teams teams = make_teams(world.split(0), {1, 0});
  EXPECT_EQ(teams.owner_ranks, std::vector<int>{size - 1});
  EXPECT_EQ(teams.num_trainers, size - 1);
  EXPECT_EQ(teams.index_in_role, rank == size - 1 ? 0 : rank);
}

TEST_F(RolesTest, AMismatchIsTheSameUserErrorOnAllRanks) {
  std::string text;
  try {
    (void)make_teams(world.split(0), {size, 1});
  } catch (const UserError& error) {
    text = error.what();
  }
  for (const std::string& other : world.gather_texts(text)) EXPECT_EQ(other, text);
  EXPECT_THAT(text, HasSubstr(fmt::format("do not add up to the world of {} processes", size)));
}

// What agree() did to this rank: "fine", "code 2: its own message", "code 2".
std::string outcome(const sys::Communicator& comm, const std::function<void()>& action) {
  try {
    agree(comm, action);
    return "fine";
  } catch (const StoppedTogether& stopped) {
    const std::string code = fmt::format("code {}", stopped.exit_code);
    if (stopped.own == nullptr) return code;
    try {
      std::rethrow_exception(stopped.own);
    } catch (const std::exception& error) {
      return fmt::format("{}: {}", code, error.what());
    }
  }
}

TEST_F(RolesTest, NobodyStopsWhenNobodyFailed) {
  EXPECT_EQ(outcome(world, [] {}), "fine");
}

TEST_F(RolesTest, TheLowestFailingRankSpeaksForAll) {
  const auto fail_here = [&] {
    if (rank >= size - 2) fail_user("rank {} has no data", rank);
  };
  EXPECT_EQ(outcome(world, fail_here),
            rank == size - 2 ? fmt::format("code 2: rank {} has no data", rank) : "code 2");
}

TEST_F(RolesTest, OrdinaryErrorsStopWithCode1) {
  const auto fail_here = [&] {
    if (rank == size - 1) throw std::runtime_error("out of luck");
  };
  EXPECT_EQ(outcome(world, fail_here), rank == size - 1 ? "code 1: out of luck" : "code 1");
}

TEST_F(RolesTest, AgreementsNestWithoutLosingTheMessage) {
  const auto nested = [&] {
    agree(world, [&] {
      if (rank == size - 1) fail_user("bad file");
    });
  };
  EXPECT_EQ(outcome(world, nested), rank == size - 1 ? "code 2: bad file" : "code 2");
}

TEST_F(RolesTest, EqualFactsPass) {
  EXPECT_NO_THROW(require_equal(world, "the run file", {{"seed", "1"}, {"name", "run"}}));
}

TEST_F(RolesTest, DifferentFactsAreNamedWithKeyValuesAndRanks) {
  std::map<std::string, std::string> facts = {{"seed", "1"},
                                              {"training.learning_rate", rank == 0 ? "0.1" : "0.01"}};
  if (rank == size - 1) facts["extra"] = "x";
  std::string text;
  try {
    require_equal(world, "the run file", facts);
  } catch (const UserError& error) {
    text = error.what();
  }
  const std::string others = size == 2 ? "rank 1" : fmt::format("ranks 1-{}", size - 1);
  EXPECT_THAT(text, HasSubstr("the run file is not the same on all ranks: extra: (absent) on rank"));
  EXPECT_THAT(text, HasSubstr("training.learning_rate: 0.1 on rank 0, 0.01 on " + others));
  EXPECT_THAT(text, testing::Not(HasSubstr("seed")));
  for (const std::string& other : world.gather_texts(text)) EXPECT_EQ(other, text);
}

}  // namespace
}  // namespace persia::roles
