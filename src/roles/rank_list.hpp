// Ranks as people write them.
#pragma once

#include <string>
#include <vector>

namespace persia::roles {

// "rank 0", "ranks 1-2, 5". Pre: ascending, not empty.
[[nodiscard]] std::string rank_list(const std::vector<int>& ranks);

}  // namespace persia::roles
