// What an optimizer's rule is: a stateless struct with the formula of one row.
//
//   element_states   names of its states of dim floats, in the order they stand in the row
//   row_states       names of its states of one float, behind them
//   counts_updates   whether it needs the update count of the row
//   initial_state    of every state of a new row (the count starts at 0)
//   begin_row        the part that is the same for all elements; changes the row states
//   apply            eight elements of the row: values and element states in, changed ones out
//
// To add one: src/README.md lists the places.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "config/run_file.hpp"
#include "table/lanes.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

// The whole gradient of a row (weight decay included), finite.
struct RowGradient {
  const float* values;
  std::int32_t dim;
  float count;  // of updates of this row, this one included; 0 if the table does not count
};

template <class R>
concept UpdateRule = requires(const UpdateArguments& arguments, const RowGradient& gradient, Floats& values,
                              float* row_states, Floats* states, const config::Optimizer& options) {
  { R::initial_state(options) } -> std::convertible_to<double>;
  { R::counts_updates } -> std::convertible_to<bool>;
  { R::element_states.size() } -> std::convertible_to<std::size_t>;
  { R::row_states.size() } -> std::convertible_to<std::size_t>;
  { R::begin_row(arguments, gradient, row_states) } -> std::same_as<typename R::RowTerms>;
  R::apply(arguments, typename R::RowTerms{}, values, values, states);
};

// Sum of squares in a fixed order (eight partial sums, then pairs), the same on every machine.
[[gnu::always_inline]] inline float sum_of_squares(const float* values, std::int32_t size) {
  Floats sums{};
  for (std::int32_t i = 0; i < size; i += kLanes) {
    const auto part = load<Floats>(values + i, std::min(kLanes, size - i));
    sums += part * part;
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace persia::table
