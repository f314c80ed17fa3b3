// adam: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g g; with t updates of this row,
// w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). States m and v per element, t per row.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Adam {
  static constexpr std::array element_states{"m", "v"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  using RowTerms = BiasCorrection;
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float*) {
    return arguments.corrections.at(gradient.count);
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms& correction,
                                           const Span& span) {
    float* __restrict const second = span.states + span.state_stride;
    for (std::int32_t i = 0; i < span.size; ++i) {
      const float g = span.gradient[i];
      const float m = arguments.beta1 * span.states[i] + arguments.one_minus_beta1 * g;
      const float v = arguments.beta2 * second[i] + arguments.one_minus_beta2 * (g * g);
      span.states[i] = m;
      second[i] = v;
      span.values[i] -= quotient(arguments.learning_rate * (m * correction.first),
                                 std::sqrt(v * correction.second) + arguments.epsilon);
    }
  }
};

}  // namespace persia::table
