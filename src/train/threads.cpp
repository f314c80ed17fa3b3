#include "train/threads.hpp"

#include <sched.h>

#include <algorithm>

#include "base/log.hpp"

namespace persia::train {

namespace {

std::int32_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace

std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams) {
  const std::int32_t cores = allowed_cores();
  if (wanted == 0) {
    const std::string& host = teams.ranks[static_cast<std::size_t>(teams.world.rank())].host;
    const auto here = std::count_if(teams.ranks.begin(), teams.ranks.end(), [&](const roles::RankInfo& rank) {
      return rank.role != roles::Role::embedding && rank.host == host;
    });
    return std::max<std::int32_t>(1, cores / std::max<std::int32_t>(1, static_cast<std::int32_t>(here)));
  }
  const std::int64_t short_of_cores = wanted > cores ? 1 : 0;
  if (teams.trainers.max(short_of_cores) > 0 && teams.index_in_role == 0)
    log::warn(
        "trainers compute with {} threads but may use only {} core(s) each; start mpirun with --bind-to "
        "none, or set "
        "training.threads to what there is",
        wanted, cores);
  return wanted;
}

}  // namespace persia::train
