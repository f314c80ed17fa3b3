#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/network.hpp"

namespace persia::model {

// With x the logit: loss = max(x, 0) - x y + log(1 + exp(-|x|)). No exponential of a positive number is
// taken, so nothing overflows and nothing needs to be clipped.
double binary_cross_entropy(std::span<const float> logits, std::span<const float> labels,
                            std::span<float> d_logits) {
  expects(logits.size() == labels.size() && logits.size() == d_logits.size(), "one label per logit");
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double x = logits[i];
    const double y = labels[i];
    const double small = std::exp(-std::abs(x));
    const double sigmoid = (x >= 0 ? 1.0 : small) / (1.0 + small);
    sum += std::max(x, 0.0) - x * y + std::log1p(small);
    d_logits[i] = static_cast<float>(sigmoid - y);
  }
  return sum;
}

}  // namespace persia::model
