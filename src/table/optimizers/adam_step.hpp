// What adam, adamw and lamb share: their states, and decaying means of gradient and square, corrected for
// their start.
//
// Kingma, Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, Algorithm 1; the step number t is that
// of the row.
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

// The part of their rules (rule.hpp) that is the same.
struct AdamStates {
  static constexpr std::array element_states{"m", "v"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  using RowTerms = BiasCorrection;
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments& arguments,
                                                   const RowGradient& gradient, float*) {
    return arguments.corrections.at(gradient.count);
  }
};

// Brings states[0] (m) and states[1] (v) up to date. Returns scale m' / (sqrt(v') + epsilon), m' and v'
// corrected.
[[gnu::always_inline]] inline Floats adam_step(const UpdateArguments& arguments,
                                               const BiasCorrection& correction, float scale,
                                               const Floats& gradient, Floats* states) {
  states[0] = arguments.beta1 * states[0] + arguments.one_minus_beta1 * gradient;
  states[1] = arguments.beta2 * states[1] + arguments.one_minus_beta2 * (gradient * gradient);
  return quotient(scale * (states[0] * correction.first),
                  square_root(states[1] * correction.second) + arguments.epsilon);
}

}  // namespace persia::table
