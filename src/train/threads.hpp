// How many threads a trainer computes with, and what the launch allows.
#pragma once

#include <cstdint>
#include <vector>

#include "roles/teams.hpp"

namespace persia::train {

// `wanted` > 0 is taken as it is, with one warning in the log (from trainer 0) if the process may not use so
// many cores; 0 takes this trainer's fair share. Collective over the trainers.
[[nodiscard]] std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams);

// How many cores are for `own`, a rank that trains: an owner, or a worker, takes one of its host's cores, the
// rest goes in equal parts to the trainers that may use it. At least 1, at most what a run file may ask for.
// Affinity masks may be equal, disjoint, or overlap.
// `all` are all ranks, `own` too.
[[nodiscard]] std::int32_t fair_share(const roles::RankInfo& own, const std::vector<roles::RankInfo>& all);

// How many threads an embedding rank, or the tables of a single process, works with: `wanted`, or for 0 its
// share of its cores that no trainer may use. At least 1, at most as many as a table has inner shards.
[[nodiscard]] std::int32_t choose_embedding_threads(std::int32_t wanted, const roles::RankInfo& own,
                                                    const std::vector<roles::RankInfo>& all);

}  // namespace persia::train
