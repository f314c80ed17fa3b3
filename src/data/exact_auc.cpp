#include "data/exact_auc.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace persia::data {

double exact_auc(std::vector<float>& positives, std::vector<float>& negatives) {
  if (positives.empty() || negatives.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(positives.begin(), positives.end());
  std::sort(negatives.begin(), negatives.end());
  double wins = 0;
  std::size_t below = 0, not_above = 0;
  for (const float score : positives) {
    while (below < negatives.size() && negatives[below] < score) ++below;
    while (not_above < negatives.size() && negatives[not_above] <= score) ++not_above;
    wins += 0.5 * (static_cast<double>(below) + static_cast<double>(not_above));
  }
  return wins / (static_cast<double>(positives.size()) * static_cast<double>(negatives.size()));
}

}  // namespace persia::data
