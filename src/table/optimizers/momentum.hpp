// momentum: m = momentum m + g; w -= lr m. State m per element.
//
// Polyak, "Some methods of speeding up the convergence of iteration methods", USSR Computational Mathematics
// and Mathematical Physics 4 (1964), the heavy ball, with the learning rate outside m.
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Momentum {
  static constexpr std::array element_states{"momentum"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = false;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  struct RowTerms {};
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments&, const RowGradient&, float*) {
    return {};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms&, Floats& values,
                                           const Floats& gradient, Floats* states) {
    states[0] = arguments.momentum * states[0] + gradient;
    values -= arguments.learning_rate * states[0];
  }
};

}  // namespace persia::table
