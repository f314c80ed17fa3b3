#include "base/error.hpp"
#include "metrics/metrics.hpp"
#include "metrics/score_keys.hpp"

namespace persia::metrics {

std::optional<double> exact_auc(std::span<const float> scores, std::span<const float> labels) {
  expects(scores.size() == labels.size(), "one label per score");
  std::vector<std::uint32_t> positives, negatives;
  for (std::size_t i = 0; i < scores.size(); ++i)
    (labels[i] > 0.5F ? positives : negatives).push_back(score_key(scores[i]));
  sort_keys(positives);
  sort_keys(negatives);
  return auc_of_sorted(positives, negatives);
}

}  // namespace persia::metrics
