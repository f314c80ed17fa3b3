#include "roles/teams.hpp"

#include <sched.h>
#include <unistd.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "roles/assignment.hpp"
#include "sys/mpi_session.hpp"

namespace persia::roles {

namespace {

// What a rank tells the others about itself, as lines: process id, host, cores, and PERSIA_ROLE, which may
// hold anything.
struct Introduction {
  std::int64_t pid = 0;
  std::string host;
  std::vector<int> cores;
  std::string told;
};

// Core 0 where the system does not tell.
std::vector<int> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

std::string write_introduction() {
  const char* told = std::getenv("PERSIA_ROLE");
  return fmt::format("{}\n{}\n{}\n{}", getpid(), sys::MpiSession::host(), fmt::join(allowed_cores(), " "),
                     told == nullptr ? "" : told);
}

Introduction read_introduction(const std::string& text) {
  std::istringstream lines(text);
  std::string pid, cores;
  Introduction result;
  std::getline(lines, pid);
  std::from_chars(pid.data(), pid.data() + pid.size(), result.pid);
  std::getline(lines, result.host);
  std::getline(lines, cores);
  std::istringstream numbers(cores);
  for (int core = 0; numbers >> core;) result.cores.push_back(core);
  std::getline(lines, result.told, '\0');
  return result;
}

void number_ranks(Teams& teams) {
  for (RankInfo& info : teams.ranks) {
    const bool alone = info.role == Role::everything;
    std::vector<int>& of_role = info.role == Role::worker    ? teams.worker_ranks
                                : info.role == Role::trainer ? teams.trainer_ranks
                                                             : teams.owner_ranks;
    info.index_in_role = static_cast<int>(of_role.size());
    of_role.push_back(info.world_rank);
    if (alone) teams.trainer_ranks.push_back(info.world_rank);
  }
  teams.num_owners = static_cast<std::int32_t>(teams.owner_ranks.size());
  teams.num_workers = static_cast<std::int32_t>(teams.worker_ranks.size());
  teams.num_trainers = static_cast<std::int32_t>(teams.trainer_ranks.size());
}

}  // namespace

std::string name_of(Role role) {
  switch (role) {
    case Role::embedding:
      return "embedding";
    case Role::worker:
      return "worker";
    case Role::trainer:
      return "trainer";
    case Role::everything:
      return "everything";
  }
  fail("role {} has no name", static_cast<int>(role));
}

std::string Teams::describe_self() const {
  const RankInfo& self = ranks.at(static_cast<std::size_t>(world.rank()));
  if (role == Role::everything) return fmt::format("the only process (on host {})", self.host);
  return fmt::format("{} {} (rank {} on host {})", name_of(role), index_in_role, world.rank(), self.host);
}

int Teams::rank_among_readers(int world_rank) const {
  const std::vector<int> all = reader_ranks();
  return static_cast<int>(std::ranges::find(all, world_rank) - all.begin());
}

std::vector<int> Teams::reader_ranks() const {
  std::vector<int> result;
  for (const RankInfo& info : ranks)
    if (info.role != Role::embedding) result.push_back(info.world_rank);
  return result;
}

Teams make_teams(sys::Communicator world, const config::Roles& counts) {
  std::vector<Introduction> introductions;
  std::vector<std::string> told;
  for (const std::string& text : world.gather_texts(write_introduction())) {
    introductions.push_back(read_introduction(text));
    told.push_back(introductions.back().told);
  }
  const std::vector<Role> roles = assign_roles(told, counts);
  const auto me = static_cast<std::size_t>(world.rank());
  const bool trains = roles[me] == Role::trainer || roles[me] == Role::everything;
  sys::Communicator team = world.split(static_cast<int>(roles[me]));
  sys::Communicator trainers = world.split(trains ? 0 : -1);
  sys::Communicator readers = world.split(roles[me] != Role::embedding ? 0 : -1);
  Teams teams{.role = roles[me],
              .world = std::move(world),
              .team = std::move(team),
              .trainers = std::move(trainers),
              .readers = std::move(readers),
              .ranks = {},
              .owner_ranks = {},
              .worker_ranks = {},
              .trainer_ranks = {}};
  for (std::size_t r = 0; r < roles.size(); ++r)
    teams.ranks.push_back({.role = roles[r],
                           .world_rank = static_cast<int>(r),
                           .host = introductions[r].host,
                           .pid = introductions[r].pid,
                           .cores = introductions[r].cores});
  number_ranks(teams);
  teams.index_in_role = teams.ranks[me].index_in_role;
  return teams;
}

}  // namespace persia::roles
