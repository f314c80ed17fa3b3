#include <algorithm>
#include <cmath>

#include "metrics/metrics.hpp"

namespace persia::metrics {

double log_loss_of(double logit, float label) {
  const double z = label > 0.5F ? -logit : logit;
  return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

double probability_of(double logit) {
  const double small = std::exp(-std::abs(logit));
  return (logit >= 0 ? 1.0 : small) / (1.0 + small);
}

}  // namespace persia::metrics
