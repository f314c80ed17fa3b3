// sgd: w -= lr g. No state.
//
// Robbins, Monro, "A Stochastic Approximation Method", Annals of Mathematical Statistics 22 (1951).
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Sgd {
  static constexpr std::array<const char*, 0> element_states{};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = false;
  static constexpr bool decays_gradient = true;
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  struct RowTerms {};
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments&, const RowGradient&, float*) {
    return {};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms&, Floats& values,
                                           const Floats& gradient, Floats*) {
    values -= arguments.learning_rate * gradient;
  }
};

}  // namespace persia::table
