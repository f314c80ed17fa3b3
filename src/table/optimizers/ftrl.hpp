// ftrl: n = n + g g; z = z + lr g - (sqrt(n) - sqrt(n before)) w; then w = 0 where |z| <= lr l1, otherwise
// w = -(z - sign(z) lr l1) / (beta + sqrt(n) + lr l2). States z and n per element.
//
// McMahan et al., "Ad Click Prediction: a View from the Trenches", KDD 2013, Algorithm 1, with alpha = lr. z
// here is that of the paper times alpha, which is the same for a constant alpha and is defined for 0 too. An
// alpha that a schedule changes so weighs the gradients to come, l1 and l2, and nothing that was learned
// before. The paper starts at w = 0; a row starts at its first value, as if z had been the one that gives it.
// An element that never had a gradient (n = 0) stays as it is.
#pragma once

#include <array>

#include "table/optimizers/rule.hpp"

namespace persia::table {

struct Ftrl {
  static constexpr std::array element_states{"z", "n"};
  static constexpr std::array<const char*, 0> row_states{};
  static constexpr bool counts_updates = false;
  static constexpr bool decays_gradient = false;  // l2 is in the formula
  static constexpr double initial_state(const config::Optimizer&) { return 0; }

  struct RowTerms {};
  [[gnu::always_inline]] static RowTerms begin_row(const UpdateArguments&, const RowGradient&, float*) {
    return {};
  }

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms&, Floats& values,
                                           const Floats& gradient, Floats* states) {
    const float l1 = arguments.learning_rate * arguments.l1;
    const float rest = arguments.beta + arguments.learning_rate * arguments.l2;
    const Floats before = square_root(states[1]);
    const Floats first_z = -(rest * values + with_sign(l1, values));
    states[1] += gradient * gradient;
    const Floats after = square_root(states[1]);
    states[0] = before > 0 ? states[0] : first_z;
    states[0] += arguments.learning_rate * gradient - (after - before) * values;
    const Floats beyond = states[0] - with_sign(l1, states[0]);
    const Floats best = states[0] > l1 || states[0] < -l1 ? -quotient(beyond, rest + after) : Floats{};
    values = after > 0 ? best : values;
  }

 private:
  // size with the sign of `like`, 0 for 0.
  [[gnu::always_inline]] static Floats with_sign(float size, const Floats& like) {
    const Floats sizes = Floats{} + size;
    return like > 0 ? sizes : like < 0 ? -sizes : Floats{};
  }
};

}  // namespace persia::table
