#include "data/alias_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace persia::data {

AliasTable::AliasTable(const std::vector<double>& weights) : cells_(weights.size()) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<double> share(weights.size());  // 1 = exactly one cell's worth
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    share[i] = weights[i] / mean;
    cells_[i] = {.keep = ~std::uint32_t{0}, .other = i};
    (share[i] < 1.0 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t poor = small.back(), rich = large.back();
    small.pop_back();
    cells_[poor] = {.keep = static_cast<std::uint32_t>(std::min(share[poor] * 0x1.0p32, 0x1.0p32 - 1)),
                    .other = rich};
    share[rich] -= 1.0 - share[poor];
    if (share[rich] >= 1.0) continue;
    large.pop_back();
    small.push_back(rich);
  }
}

std::vector<double> zipf_weights(std::int64_t count, double exponent) {
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (std::size_t rank = 0; rank < weights.size(); ++rank)
    weights[rank] = std::pow(static_cast<double>(rank + 1), -exponent);
  return weights;
}

}  // namespace persia::data
