// adam: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g g; with t updates of this row,
// w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). States m and v per element, t per row.
//
// Source: adam_step.hpp.
#pragma once

#include <array>

#include "table/optimizers/adam_step.hpp"

namespace persia::table {

struct Adam {
  static constexpr std::array element_states{"m", "v"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = true;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  using RowTerms = BiasCorrection;
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float*) {
    return arguments.corrections.at(gradient.count);
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms& correction,
                                           Floats& values, const Floats& gradient, Floats* states) {
    values -= adam_step(arguments, correction, arguments.learning_rate, gradient, states);
  }
};

}  // namespace persia::table
