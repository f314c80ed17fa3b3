// How many threads a trainer computes with, and what the launch allows.
#pragma once

#include <cstdint>

#include "roles/teams.hpp"

namespace persia::train {

// `wanted` > 0 is taken as it is, with one warning in the log (from trainer 0) if the process may not use so
// many cores; 0 shares the cores of the host's affinity mask among its trainers, at least one each.
// Collective over the trainers.
[[nodiscard]] std::int32_t choose_threads(std::int32_t wanted, const roles::Teams& teams);

}  // namespace persia::train
