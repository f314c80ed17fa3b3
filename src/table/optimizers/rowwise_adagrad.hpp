// rowwise_adagrad: a += mean(g g) over the row; w -= lr g / (sqrt(a) + epsilon). State a per row.
#pragma once

#include <array>
#include <cmath>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct RowwiseAdagrad {
  static constexpr std::array<const char*, 0> element_states{};
  static constexpr std::array row_states{"accumulator"};
  static constexpr bool counts_updates = false;
  static constexpr double initial_state(const config::Optimizer& options) {
    return options.initial_accumulator;
  }

  struct RowTerms {
    float step;
  };
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float* row_states) {
    row_states[0] += sum_of_squares(gradient.values, gradient.dim) / static_cast<float>(gradient.dim);
    const float scale = std::sqrt(row_states[0]) + arguments.epsilon;
    return {scale > 0 ? arguments.learning_rate / scale : 0.0F};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments&, const RowTerms& terms, Floats& values,
                                           const Floats& gradient, Floats*) {
    values -= terms.step * gradient;
  }
};

}  // namespace persia::table
