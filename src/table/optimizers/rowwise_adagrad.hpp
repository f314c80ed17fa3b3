// rowwise_adagrad: a = accumulator_decay a + mean(g g) over the row; w -= lr g / (sqrt(a) + epsilon). State a
// per row.
//
// Adagrad (adagrad.hpp) with one accumulator for the row: the rule that FBGEMM's table-batched embeddings
// call EXACT_ROWWISE_ADAGRAD.
#pragma once

#include <array>
#include <cmath>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct RowwiseAdagrad {
  static constexpr std::array<const char*, 0> element_states{};
  static constexpr std::array row_states{"accumulator"};
  static constexpr bool counts_updates = false;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer& options) {
    return options.initial_accumulator;
  }

  struct RowTerms {
    float step;
  };
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float* row_states) {
    row_states[0] = arguments.accumulator_decay * row_states[0] + mean_square(gradient);
    const float scale = std::sqrt(row_states[0]) + arguments.epsilon;
    return {scale > 0 ? arguments.learning_rate / scale : 0.0F};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments&, const RowTerms& terms, Floats& values,
                                           const Floats& gradient, Floats*) {
    values -= terms.step * gradient;
  }
};

}  // namespace persia::table
