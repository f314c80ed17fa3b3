// adagrad: a += g g; w -= lr g / (sqrt(a) + epsilon). State a per element.
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Adagrad {
  static constexpr std::array element_states{"accumulator"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = false;
  static constexpr double initial_state(const config::Optimizer& options) {
    return options.initial_accumulator;
  }

  struct RowTerms {};
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments&, const RowGradient&, float*) {
    return {};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms&, Floats& values,
                                           const Floats& gradient, Floats* states) {
    states[0] += gradient * gradient;
    values -= quotient(arguments.learning_rate * gradient, square_root(states[0]) + arguments.epsilon);
  }
};

}  // namespace persia::table
