// adagrad: a = accumulator_decay a + g g; w -= lr g / (sqrt(a) + epsilon). State a per element.
//
// Duchi, Hazan, Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization", JMLR
// 12 (2011), section 1.1, diagonal form. With accumulator_decay below 1 old gradients are forgotten: the
// running sum of Tieleman, Hinton, "Lecture 6.5 - rmsprop" (2012) without its factor of the new square. At 1
// it is plain adagrad, bit for bit.
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Adagrad {
  static constexpr std::array element_states{"accumulator"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = false;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer& options) {
    return options.initial_accumulator;
  }

  struct RowTerms {};
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments&, const RowGradient&, float*) {
    return {};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms&, Floats& values,
                                           const Floats& gradient, Floats* states) {
    states[0] = arguments.accumulator_decay * states[0] + gradient * gradient;
    values -= quotient(arguments.learning_rate * gradient, square_root(states[0]) + arguments.epsilon);
  }
};

}  // namespace persia::table
