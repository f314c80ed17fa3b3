// How many threads a trainer computes with, and what the launch allows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roles/teams.hpp"

namespace persia::train {

// `wanted` > 0 is taken as it is, with one warning in the log (from trainer 0) if the process may not use so
// many cores; 0 takes this trainer's fair share. Collective over the trainers.
[[nodiscard]] std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams);

// How many of the cores in `own` are for a trainer when each core goes in equal parts to all that may use it;
// at least 1. Affinity masks may be equal, disjoint, or overlap. A text lists cores: "host:0 host:1". `all`
// holds the texts of all trainers, this one's too.
[[nodiscard]] std::int32_t fair_share(const std::string& own, const std::vector<std::string>& all);

}  // namespace persia::train
