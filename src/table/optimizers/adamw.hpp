// adamw: the step of adam (adam.hpp) and, apart from it, w -= lr weight_decay w. The decay is decoupled: it
// is in neither m nor v. Both use the w before the update.
//
// Loshchilov, Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, Algorithm 2, with the schedule's
// factor and alpha in one learning rate, so that the decay follows the learning rate.
#pragma once

#include "table/optimizers/adam_step.hpp"

namespace persia::table {

struct Adamw : AdamStates {
  static constexpr bool decays_gradient = false;

  [[gnu::always_inline]] static void apply(const UpdateArguments& arguments, const RowTerms& correction,
                                           Floats& values, const Floats& gradient, Floats* states) {
    const float decay = arguments.learning_rate * arguments.weight_decay;
    values -= adam_step(arguments, correction, arguments.learning_rate, gradient, states) + decay * values;
  }
};

}  // namespace persia::table
