#include "sys/mpi_session.hpp"

#include <gtest/gtest.h>

#include "sys/mpi_check.hpp"

namespace persia::sys {
namespace {

TEST(MpiSession, AnswersWithoutMpiRunning) {
  EXPECT_FALSE(MpiSession::active());
  EXPECT_EQ(MpiSession::thread_level(), "none");
  EXPECT_FALSE(MpiSession::host().empty());
  EXPECT_FALSE(MpiSession::library().empty());
}

TEST(MpiSession, LaunchersAreKnownByTheirVariables) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_STEP_ID"}) unsetenv(name);
  EXPECT_FALSE(MpiSession::launched());
  setenv("PMIX_RANK", "0", 1);
  EXPECT_TRUE(MpiSession::launched());
  unsetenv("PMIX_RANK");
}

TEST(MpiSession, HandlesAreLeftAloneWithoutMpi) {
  EXPECT_FALSE(may_free_handles());
}

}  // namespace
}  // namespace persia::sys
