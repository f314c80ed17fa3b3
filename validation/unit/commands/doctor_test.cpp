#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "commands/doctor_checks.hpp"

namespace persia::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

// A healthy rank: 8 cores, room in /dev/shm, a window.
RankFacts healthy(const std::string& host = "a") {
  RankFacts rank;
  rank.host = {.host = host,
               .cores_online = 8,
               .cores_allowed = 8,
               .shm_total_bytes = 16 * gibibyte,
               .shm_free_bytes = 16 * gibibyte,
               .interfaces = {"eth0"}};
  rank.mpi = {.library = "Open MPI v4.1.4",
              .thread_level = "funneled",
              .component = "rdma",
              .window_model = "unified",
              .settings = {{"mpi_yield_when_idle", "false"}, {"osc", "^ucx"}}};
  rank.environment = {{"OMPI_COMM_WORLD_SIZE", "2"}};
  return rank;
}

JobFacts pair() {
  return {.ranks = {healthy(), healthy()}};
}

// The finding of that name; without one, an empty finding.
Finding found(const JobFacts& job, const std::string& name) {
  for (const Finding& finding : diagnose(job))
    if (finding.name == name) return finding;
  return {};
}

std::vector<std::string> names(const JobFacts& job) {
  std::vector<std::string> result;
  for (const Finding& finding : diagnose(job)) result.push_back(finding.name);
  return result;
}

TEST(Doctor, FindsNothingWrongWithAHealthyLaunch) {
  EXPECT_THAT(names(pair()), IsEmpty());
  EXPECT_THAT(names({.ranks = {healthy("a"), healthy("b")}}), IsEmpty());
}

TEST(Doctor, FindsProcessesThatBelieveToBeAlone) {
  JobFacts job{.ranks = {healthy()}};
  EXPECT_THAT(found(job, "lonely-ranks").problem, HasSubstr("OMPI_COMM_WORLD_SIZE says 2"));
  job.ranks[0].environment = {{"SLURM_STEP_NUM_TASKS", "4"}};
  EXPECT_THAT(found(job, "lonely-ranks").problem, HasSubstr("4 processes"));
  job.ranks[0].environment = {{"SLURM_STEP_NUM_TASKS", "1"}};
  EXPECT_THAT(names(job), IsEmpty());
}

TEST(Doctor, FindsMpirunUnderSrun) {
  JobFacts job = pair();
  for (RankFacts& rank : job.ranks) rank.environment["SLURM_STEP_NUM_TASKS"] = "4";
  EXPECT_THAT(found(job, "nested-launch").remedy, HasSubstr("without srun"));
  // The daemons of a sound mpirun are one task per host.
  for (RankFacts& rank : job.ranks) rank.environment["SLURM_STEP_NUM_TASKS"] = "1";
  EXPECT_THAT(names(job), IsEmpty());
}

TEST(Doctor, FindsHeterogeneousJobsUnderMpirun) {
  JobFacts job = pair();
  job.ranks[0].environment["SLURM_HET_SIZE"] = "2";
  EXPECT_THAT(found(job, "heterogeneous-job").remedy, HasSubstr("--het-group"));
}

TEST(Doctor, FindsAllRanksOnTheLauncherOfAnOperator) {
  JobFacts job = pair();
  job.ranks[0].environment["OMPI_MCA_orte_default_hostfile"] = "/etc/mpi/hostfile";
  EXPECT_THAT(names(job), IsEmpty()) << "the 4.1 series reads the variable";
  job.ranks[0].mpi.library = job.ranks[1].mpi.library = "Open MPI v5.0.9";
  EXPECT_THAT(found(job, "ranks-on-launcher").remedy, HasSubstr("--hostfile"));
  job.ranks[1].host.host = "b";
  EXPECT_THAT(names(job), IsEmpty());
}

TEST(Doctor, FindsMixedLibrariesAndMissingThreads) {
  JobFacts job = pair();
  job.ranks[1].mpi.library = "Open MPI v5.0.9";
  EXPECT_THAT(found(job, "mixed-libraries").problem, AllOf(HasSubstr("v4.1.4"), HasSubstr("v5.0.9")));
  job = pair();
  job.ranks[0].mpi.thread_level = "single";
  EXPECT_EQ(names(job), std::vector<std::string>{"thread-level"});
}

TEST(Doctor, SaysHowToGetAWindowForTheHostsAndSeriesAtHand) {
  JobFacts job = pair();
  job.ranks[1].mpi.window_problem = "MPI_ERR_WIN: invalid window";
  EXPECT_THAT(found(job, "no-window").problem, AllOf(HasSubstr("MPI_ERR_WIN"), HasSubstr("osc '^ucx'")));
  EXPECT_THAT(found(job, "no-window").remedy, HasSubstr("--mca osc sm"));
  job.ranks[1].host.host = "b";
  EXPECT_THAT(found(job, "no-window").remedy, AllOf(HasSubstr("--mca osc ucx"), HasSubstr("pt2pt")));
  job.ranks[0].mpi.library = job.ranks[1].mpi.library = "Open MPI v5.0.9";
  EXPECT_THAT(found(job, "no-window").remedy,
              AllOf(HasSubstr("--mca osc ucx"), ::testing::Not(HasSubstr("pt2pt"))));
}

TEST(Doctor, FindsDeniedCopiesBetweenNeighbours) {
  JobFacts job = pair();
  job.ranks[1].mpi.copy_problem = "Operation not permitted";
  job.ranks[1].host.ptrace_scope = "2";
  EXPECT_THAT(found(job, "copy-denied").problem,
              AllOf(HasSubstr("not permitted"), HasSubstr("ptrace_scope 2")));
  EXPECT_THAT(found(job, "copy-denied").remedy, HasSubstr("OMPI_MCA_btl_vader_single_copy_mechanism=none"));
}

TEST(Doctor, FindsTheSharedMemoryOfAContainer) {
  JobFacts job = pair();
  for (RankFacts& rank : job.ranks) rank.host.shm_total_bytes = rank.host.shm_free_bytes = 64LL << 20;
  EXPECT_THAT(found(job, "small-shm").problem, HasSubstr("64 MiB free of 64 MiB for 2 ranks"));
  job = pair();
  job.ranks[0].host.shm_free_bytes = 1 << 20;
  EXPECT_THAT(found(job, "small-shm").remedy, HasSubstr("--shm-size"));
  EXPECT_THAT(names({.ranks = {job.ranks[0]}}), ::testing::Not(::testing::Contains("small-shm")))
      << "one rank needs none";
}

TEST(Doctor, FindsLockedMemoryTooSmallForAnRdmaDevice) {
  JobFacts job = pair();
  job.ranks[1].host.memlock_bytes = 65536;
  EXPECT_THAT(names(job), IsEmpty()) << "no device needs it";
  job.ranks[1].host.infiniband = true;
  EXPECT_THAT(found(job, "memlock").remedy, HasSubstr("ulimit -l unlimited"));
}

TEST(Doctor, FindsSeveralThreadsOnOneCore) {
  JobFacts job = pair();
  job.threads = 2;
  EXPECT_THAT(names(job), IsEmpty());
  job.ranks[1].host.cores_allowed = 1;
  EXPECT_THAT(found(job, "one-core").problem,
              HasSubstr("rank 1 computes with 2 threads but may use 1 of 8 cores"));
  EXPECT_THAT(found(job, "one-core").remedy, HasSubstr("--bind-to none"));
  job.threads = 0;
  job.ranks[1].environment["OMP_NUM_THREADS"] = "4";
  EXPECT_THAT(found(job, "one-core").problem, HasSubstr("4 threads"));
  job.ranks[1].environment.erase("OMP_NUM_THREADS");
  EXPECT_THAT(found(job, "one-core").problem, HasSubstr("one thread")) << "8 cores, 2 ranks, yet 1 each";
  for (RankFacts& rank : job.ranks) rank.host.cores_online = 2, rank.host.cores_allowed = 1;
  EXPECT_THAT(names(job), IsEmpty()) << "one core each is a fair share of two";
}

TEST(Doctor, OffersFewerThreadsWhereNoBindingHelps) {
  JobFacts job = pair();
  for (RankFacts& rank : job.ranks) rank.host.cores_online = rank.host.cores_allowed = 2;
  job.threads = 8;
  EXPECT_EQ(names(job), std::vector<std::string>{"too-many-threads"});
  EXPECT_THAT(found(job, "too-many-threads").problem,
              HasSubstr("rank 0 computes with 8 threads, but a has 2 core(s)"));
  EXPECT_THAT(found(job, "too-many-threads").remedy,
              AllOf(HasSubstr("at most 2"), ::testing::Not(HasSubstr("bind"))));
  job.ranks[1].host.cores_allowed = 1;
  EXPECT_THAT(found(job, "one-core").remedy, HasSubstr("--bind-to none")) << "both are wrong";
}

TEST(Doctor, FindsMoreRanksThanCoresThatSpin) {
  JobFacts job = pair();
  for (RankFacts& rank : job.ranks) rank.host.cores_online = rank.host.cores_allowed = 1;
  EXPECT_THAT(found(job, "no-yield").remedy, HasSubstr("mpi_yield_when_idle 1"));
  for (RankFacts& rank : job.ranks) rank.mpi.settings["mpi_yield_when_idle"] = "true";
  EXPECT_THAT(names(job), IsEmpty());
  job = pair();
  job.ranks[0].host.cores_quota = 1.5;
  EXPECT_THAT(found(job, "no-yield").problem, HasSubstr("1.5 core(s)"));
  EXPECT_THAT(found(job, "cpu-quota").problem, HasSubstr("time of 1.5"));
}

TEST(Doctor, FindsBridgesOnceThereAreSeveralHosts) {
  JobFacts job = pair();
  job.ranks[1].host.interfaces = {"docker0", "eth0"};
  EXPECT_THAT(names(job), IsEmpty());
  job.ranks[1].host.host = "b";
  EXPECT_THAT(found(job, "bridge-interface").problem, AllOf(HasSubstr("b has"), HasSubstr("docker0")));
  job.ranks[1].mpi.settings["btl_tcp_if_include"] = "10.0.0.0/8";
  EXPECT_THAT(names(job), IsEmpty());
}

TEST(Doctor, FindsGpusHiddenFromNeighbours) {
  JobFacts job = pair();
  job.ranks[0].environment["CUDA_VISIBLE_DEVICES"] = "0";
  job.ranks[1].environment["CUDA_VISIBLE_DEVICES"] = "1";
  EXPECT_THAT(found(job, "hidden-gpus").problem, HasSubstr("0 | 1"));
  job.ranks[1].environment["CUDA_VISIBLE_DEVICES"] = "0";
  EXPECT_THAT(names(job), IsEmpty());
}

}  // namespace
}  // namespace persia::commands
