// What an optimizer's rule is: a stateless struct with the formula of one row.
//
//   element_states   names of its states of dim floats, in the order they stand in the row
//   row_states       names of its states of one float, behind them
//   counts_updates   whether it needs the update count of the row
//   initial_state    of every state of a new row (the count starts at 0)
//   begin_row        the part that is the same for all elements; changes the row states
//   apply            the element loop over a stretch of the row; called for stretches from left to right
//
// To add one: its header here, a line in visit_rule() of rules.hpp, its arguments in config/, a test.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "config/run_file.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

// The whole gradient of a row (weight decay included), finite.
struct RowGradient {
  const float* values;
  std::int32_t dim;
  float count;  // of updates of this row, this one included; 0 if the table does not count
};

// A stretch of one row. The arrays do not overlap. State k of element i is states[k * state_stride + i].
struct Span {
  float* __restrict values;
  const float* __restrict gradient;
  float* __restrict states;
  std::int32_t state_stride;
  std::int32_t size;
};

template <class R>
concept UpdateRule = requires(const UpdateArguments& arguments, const RowGradient& gradient, const Span& span,
                              float* row_states, const config::Optimizer& options) {
  { R::initial_state(options) } -> std::convertible_to<double>;
  { R::counts_updates } -> std::convertible_to<bool>;
  { R::element_states.size() } -> std::convertible_to<std::size_t>;
  { R::row_states.size() } -> std::convertible_to<std::size_t>;
  { R::begin_row(arguments, gradient, row_states) } -> std::same_as<typename R::RowTerms>;
  R::apply(arguments, typename R::RowTerms{}, span);
};

// numerator / denominator, 0 for a denominator of 0: without epsilon, what never had a gradient does not
// move.
[[gnu::always_inline]] inline float quotient(float numerator, float denominator) {
  return denominator > 0 ? numerator / denominator : 0.0F;
}

// Sum of squares in a fixed order (sixteen partial sums, then pairs), the same on every machine.
[[gnu::always_inline]] inline float sum_of_squares(const float* values, std::int32_t size) {
  constexpr std::int32_t lanes = 16;
  std::array<float, lanes> sums{};
  std::int32_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::int32_t lane = 0; lane < lanes; ++lane) sums[lane] += values[i + lane] * values[i + lane];
  for (std::int32_t lane = 0; i + lane < size; ++lane) sums[lane] += values[i + lane] * values[i + lane];
  for (std::int32_t half = lanes / 2; half > 0; half /= 2)
    for (std::int32_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

}  // namespace persia::table
