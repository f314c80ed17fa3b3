#include "roles/assignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::roles {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::vector<std::string>& told, const config::Roles& counts) {
  try {
    (void)assign_roles(told, counts);
    return "accepted";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Assignment, CountsPutEmbeddingRanksFirst) {
  EXPECT_THAT(assign_roles({"", "", ""}, {1, 2}), ElementsAre(Role::embedding, Role::trainer, Role::trainer));
  EXPECT_THAT(assign_roles({"", "", ""}, {2, 0}),
              ElementsAre(Role::embedding, Role::embedding, Role::trainer));
}

TEST(Assignment, CountsPutWorkersBetweenEmbeddingRanksAndTrainers) {
  EXPECT_THAT(assign_roles({"", "", "", ""}, {.embedding = 1, .trainer = 1, .worker = 2}),
              ElementsAre(Role::embedding, Role::worker, Role::worker, Role::trainer));
  EXPECT_THAT(assign_roles({"", "", "", ""}, {.embedding = 1, .trainer = 0, .worker = 1}),
              ElementsAre(Role::embedding, Role::worker, Role::trainer, Role::trainer));
}

TEST(Assignment, OneProcessIsEverything) {
  for (const config::Roles counts : {config::Roles{1, 0}, {1, 1}, {0, 1}, {0, 0}})
    EXPECT_THAT(assign_roles({""}, counts), ElementsAre(Role::everything));
}

TEST(Assignment, TheEnvironmentDecidesInAnyOrder) {
  EXPECT_THAT(assign_roles({"trainer", "embedding", "trainer"}, {1, 0}),
              ElementsAre(Role::trainer, Role::embedding, Role::trainer));
  EXPECT_THAT(assign_roles({"trainer", "worker", "embedding"}, {1, 0}),
              ElementsAre(Role::trainer, Role::worker, Role::embedding));
}

TEST(Assignment, RefusesCountsThatDoNotAddUpAndNamesThem) {
  EXPECT_EQ(refusal({"", "", ""}, {2, 2}),
            "roles.embedding: 2 and roles.trainer: 2 do not add up to the world of 3 processes; at least one "
            "embedding and one trainer rank are needed, and roles.trainer: 0 takes all that are left");
  EXPECT_THAT(refusal({"", ""}, {2, 0}), HasSubstr("do not add up to the world of 2"));
  EXPECT_THAT(refusal({"", ""}, {0, 2}), HasSubstr("do not add up to the world of 2"));
  EXPECT_THAT(refusal({"", ""}, {-1, 3}), HasSubstr("do not add up to the world of 2"));
  EXPECT_THAT(refusal({""}, {1, 2}), HasSubstr("do not add up to the world of 1 process"));
  EXPECT_THAT(refusal({"", ""}, {.embedding = 1, .trainer = 0, .worker = 1}),
              HasSubstr("roles.embedding: 1, roles.worker: 1 and roles.trainer: 0 do not add up"));
  EXPECT_THAT(refusal({"", "", ""}, {.embedding = 1, .trainer = 3, .worker = -1}),
              HasSubstr("do not add up to the world of 3"));
  EXPECT_THAT(refusal({""}, {.embedding = 1, .trainer = 0, .worker = 1}), HasSubstr("world of 1 process"));
}

TEST(Assignment, RefusesAnEnvironmentThatIsSetOnSomeRanksOnly) {
  EXPECT_EQ(refusal({"embedding", "", "", "trainer"}, {1, 0}),
            "PERSIA_ROLE is not set on ranks 1-2 of a world of 4, but on the others; set it on every rank or "
            "on none");
}

TEST(Assignment, RefusesUnknownRolesAndMissingOnes) {
  EXPECT_EQ(refusal({"embedding", "trainr"}, {1, 0}),
            "PERSIA_ROLE=trainr on rank 1 is not a role; use embedding, worker or trainer");
  EXPECT_THAT(refusal({"trainer", "trainer"}, {1, 0}),
              HasSubstr("0 embedding and 2 trainer ranks in a world of 2"));
  EXPECT_THAT(refusal({"embedding", "embedding"}, {1, 0}), HasSubstr("2 embedding and 0 trainer ranks"));
}

// The mark of a launcher that does not belong to the MPI library: every process is rank 0 of 1.
TEST(Assignment, RefusesOneRoleInAWorldOfOne) {
  EXPECT_THAT(refusal({"trainer"}, {1, 0}), HasSubstr("launcher and MPI library do not belong together"));
}

}  // namespace
}  // namespace persia::roles
