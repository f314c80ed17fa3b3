// What an optimizer's rule is: a stateless struct with the formula of one row.
//
//   element_states   names of its states of dim floats, in the order they stand in the row
//   row_states       names of its states of one float, behind them
//   counts_updates   whether it needs the update count of the row
//   decays_gradient  whether weight_decay * w is added to the gradient first (L2); where not, the rule itself
//                    decays the values or takes no weight_decay
//   initial_state    of every state of a new row (the count starts at 0)
//   begin_row        the part that is the same for all elements; changes the row states
//   apply            eight elements of the row: values and element states in, changed ones out
//
// A rule whose step depends on the norms of the whole row has, instead of apply,
//   direction        eight elements of it; changes the element states, not the values
//   step             from sums of squares of all values and of the direction: the row moves by -step
//   direction
//
// To add one: src/README.md lists the places.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "config/run_file.hpp"
#include "table/lanes.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

// The whole gradient of a row (with weight decay if decays_gradient), finite.
struct RowGradient {
  const float* values;
  std::int32_t dim;
  float squares;    // the sum of their squares, as sum_of_squares() adds them up
  float count = 0;  // of updates of this row, this one included; 0 if the table does not count
};

template <class R>
concept RowRule = requires(const UpdateArguments& arguments, const RowGradient& gradient, float* row_states,
                           const config::Optimizer& options) {
  { R::initial_state(options) } -> std::convertible_to<double>;
  { R::counts_updates } -> std::convertible_to<bool>;
  { R::decays_gradient } -> std::convertible_to<bool>;
  { R::element_states.size() } -> std::convertible_to<std::size_t>;
  { R::row_states.size() } -> std::convertible_to<std::size_t>;
  { R::begin_row(arguments, gradient, row_states) } -> std::same_as<typename R::RowTerms>;
};

template <class R>
concept ElementRule = RowRule<R> &&
    requires(const UpdateArguments& arguments, Floats& values, Floats* states) {
  R::apply(arguments, typename R::RowTerms{}, values, values, states);
};

template <class R>
concept NormRule = RowRule<R> && requires(const UpdateArguments& arguments, Floats& values, Floats* states) {
  { R::direction(arguments, typename R::RowTerms{}, values, values, states) } -> std::same_as<Floats>;
  { R::step(arguments, 0.0F, 0.0F) } -> std::same_as<float>;
};

template <class R>
concept UpdateRule = ElementRule<R> || NormRule<R>;

// In a fixed order, the same on every machine.
[[gnu::always_inline]] inline float sum_of_lanes(const Floats& sums) {
  const auto four =
      __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
  const auto two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
  return two[0] + two[1];
}

// Eight partial sums, then those.
template <class Dim>
[[gnu::always_inline]] inline float sum_of_squares(const float* values, Dim dim) {
  Floats sums{};
  over_lanes(
      dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
        const auto part = load<Floats>(values + begin, size);
        sums += part * part;
      });
  return sum_of_lanes(sums);
}

[[gnu::always_inline]] inline float mean_square(const RowGradient& gradient) {
  return gradient.squares / static_cast<float>(gradient.dim);
}

}  // namespace persia::table
