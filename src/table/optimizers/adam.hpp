// adam: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g g; with t updates of this row,
// w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). States m and v per element, t per row.
//
// Source: adam_step.hpp.
#pragma once

#include "table/optimizers/adam_step.hpp"

namespace persia::table {

struct Adam : AdamStates {
  static constexpr bool decays_gradient = true;

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms& correction,
                                           Floats& values, const Floats& gradient, Floats* states) {
    values -= adam_step(arguments, correction, arguments.learning_rate, gradient, states);
  }
};

}  // namespace persia::table
