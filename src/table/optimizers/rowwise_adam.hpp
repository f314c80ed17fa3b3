// rowwise_adam: m = beta1 m + (1 - beta1) g per element; v = beta2 v + (1 - beta2) mean(g g) per row; with t
// updates of this row, w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon).
//
// Adam (Kingma, Ba, ICLR 2015, Algorithm 1) with one second moment for the row: the rule that FBGEMM's
// table-batched embeddings call PARTIAL_ROWWISE_ADAM.
#pragma once

#include <array>
#include <cmath>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct RowwiseAdam {
  static constexpr std::array element_states{"m"};
  static constexpr std::array row_states{"v"};
  static constexpr bool counts_updates = true;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  struct RowTerms {
    float step;
  };
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float* row_states) {
    const BiasCorrection correction = arguments.corrections.at(gradient.count);
    row_states[0] = arguments.beta2 * row_states[0] + arguments.one_minus_beta2 * mean_square(gradient);
    const float scale = std::sqrt(row_states[0] * correction.second) + arguments.epsilon;
    return {scale > 0 ? arguments.learning_rate * correction.first / scale : 0.0F};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms& terms,
                                           Floats& values, const Floats& gradient, Floats* states) {
    states[0] = arguments.beta1 * states[0] + arguments.one_minus_beta1 * gradient;
    values -= terms.step * states[0];
  }
};

}  // namespace persia::table
