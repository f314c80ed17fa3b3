#include "commands/doctor_facts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace persia::commands {
namespace {

TEST(DoctorFacts, TravelBetweenRanksUnchanged) {
  RankFacts facts;
  facts.host = {
      .host = "a", .cores_online = 8, .cores_quota = 1.5, .shm_free_bytes = 1LL << 40, .infiniband = true};
  facts.mpi = {.library = "x", .component = "sm", .settings = {{"osc", "sm"}}};
  facts.devices = {"0: some GPU"};
  facts.environment = {{"OMP_NUM_THREADS", "2"}};
  const nlohmann::json sent = to_json(facts);
  const RankFacts received = rank_facts_from(nlohmann::json::parse(sent.dump()));
  EXPECT_EQ(to_json(received), sent);
  EXPECT_EQ(received.host.shm_free_bytes, 1LL << 40);
  EXPECT_EQ(received.mpi.settings.at("osc"), "sm");
}

TEST(DoctorFacts, GatherTheVariablesOfLaunchersOnly) {
  ::setenv("SLURM_HET_SIZE", "3", 1);
  ::setenv("SOME_SECRET", "x", 1);
  const auto environment = launch_environment();
  ::unsetenv("SLURM_HET_SIZE");
  ::unsetenv("SOME_SECRET");
  EXPECT_EQ(environment.at("SLURM_HET_SIZE"), "3");
  EXPECT_FALSE(environment.contains("SOME_SECRET"));
}

TEST(DoctorFacts, GroupRanksByHost) {
  JobFacts job{.ranks = std::vector<RankFacts>(3)};
  job.ranks[0].host.host = "b";
  job.ranks[1].host.host = "a";
  job.ranks[2].host.host = "b";
  const auto hosts = ranks_by_host(job);
  EXPECT_EQ(hosts.at("a"), std::vector<int>{1});
  EXPECT_EQ(hosts.at("b"), (std::vector<int>{0, 2}));
}

}  // namespace
}  // namespace persia::commands
