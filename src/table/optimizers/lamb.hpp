// lamb: u = m' / (sqrt(v') + epsilon) + weight_decay w, with m' and v' of adam (adam_step.hpp);
// w -= lr (|w| / |u|) u with Euclidean norms of the row, and w -= lr u where one of them is 0. The decay is
// decoupled: it is in neither m nor v.
//
// You et al., "Large Batch Optimization for Deep Learning: Training BERT in 76 minutes", ICLR 2020, Algorithm
// 2, with phi(x) = x and a row as the layer. States m and v per element, t per row.
#pragma once

#include <cmath>

#include "table/optimizers/adam_step.hpp"

namespace persia::table {

struct Lamb : AdamStates {
  static constexpr bool decays_gradient = false;

  [[gnu::always_inline]] static Floats direction(const UpdateArguments& arguments, const RowTerms& correction,
                                                 const Floats& values, const Floats& gradient,
                                                 Floats* states) {
    return adam_step(arguments, correction, 1.0F, gradient, states) + arguments.weight_decay * values;
  }

  [[gnu::always_inline]] static float step(const UpdateArguments& arguments, float values_squared,
                                           float direction_squared) {
    if (!(values_squared > 0) || !(direction_squared > 0)) return arguments.learning_rate;
    return arguments.learning_rate * (std::sqrt(values_squared) / std::sqrt(direction_squared));
  }
};

}  // namespace persia::table
