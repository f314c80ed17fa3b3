#include "train/threads.hpp"

#include <algorithm>
#include <map>

#include "base/log.hpp"
#include "table/place.hpp"

namespace persia::train {

namespace {

struct Use {
  int trainers = 0;
  int owners = 0;         // and workers, which like them leave no core to compute with
  double for_owners = 0;  // part of the core that these need
};

std::map<int, Use> uses_of(const std::string& host, const std::vector<roles::RankInfo>& ranks) {
  std::map<int, Use> uses;
  for (const roles::RankInfo& rank : ranks) {
    if (rank.host != host) continue;
    for (const int core : rank.cores) {
      const bool serves = rank.role == roles::Role::embedding || rank.role == roles::Role::worker;
      if (serves) uses[core].for_owners += 1.0 / static_cast<double>(rank.cores.size());
      ++(serves ? uses[core].owners : uses[core].trainers);
    }
  }
  return uses;
}

}  // namespace

std::int32_t fair_share(const roles::RankInfo& own, const std::vector<roles::RankInfo>& all) {
  std::map<int, Use> uses = uses_of(own.host, all);
  double share = 1e-9;  // thirds and the like add up to whole cores
  for (const int core : own.cores)
    share += std::max(0.0, 1 - uses[core].for_owners) / std::max(1, uses[core].trainers);
  return std::clamp(static_cast<std::int32_t>(share), 1, config::most_threads);
}

std::int32_t choose_embedding_threads(std::int32_t wanted, const roles::RankInfo& own,
                                      const std::vector<roles::RankInfo>& all) {
  if (wanted > 0) return wanted;
  if (own.role != roles::Role::embedding) return 1;
  std::map<int, Use> uses = uses_of(own.host, all);
  double share = 1e-9;
  for (const int core : own.cores)
    if (uses[core].trainers == 0) share += 1.0 / std::max(1, uses[core].owners);
  return std::clamp(static_cast<std::int32_t>(share), 1, static_cast<std::int32_t>(table::kInnerShards));
}

std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams) {
  const roles::RankInfo& own = teams.ranks[static_cast<std::size_t>(teams.world.rank())];
  if (wanted == 0) return fair_share(own, teams.ranks);

  const auto cores = static_cast<std::int32_t>(own.cores.size());
  const std::int64_t short_of_cores = wanted > cores ? 1 : 0;
  if (teams.trainers.max(short_of_cores) > 0 && teams.index_in_role == 0)
    log::warn(
        "trainers compute with {} threads but may use fewer cores (trainer 0: {}); start mpirun with "
        "--bind-to none, or set training.threads to what there is",
        wanted, cores);
  return wanted;
}

}  // namespace persia::train
