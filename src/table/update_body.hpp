// The row loop that changes rows, inlined into one function per instruction set by kernels_*.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

#include "table/clip.hpp"
#include "table/kernel_bodies.hpp"
#include "table/open_row.hpp"
#include "table/optimizers/rule.hpp"

namespace persia::table {

template <class Dim>
[[gnu::always_inline]] inline bool all_finite(const float* values, Dim dim) {
  Words found{};
  over_lanes(
      dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
        const Words magnitude = as_word(load<Floats>(values + begin, size)) & ~bits::kSign;
        found |= magnitude >= bits::kInfinity ? all_lanes<Words>(1) : all_lanes<Words>(0);
      });
  std::array<std::uint64_t, kLanes / 2> pairs;
  std::memcpy(pairs.data(), &found, sizeof found);
  return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) == 0;
}

// Whether a rule gets the gradients as they come: not clipped, without decay.
template <UpdateRule Rule>
[[gnu::always_inline]] inline bool takes_plain_gradients(const UpdateArguments& arguments) {
  return !arguments.clips && !(Rule::decays_gradient && arguments.weight_decay != 0);
}

// In three rounds over the block, in each of which no row waits for another or for the round before of its
// own: the processor works on as many at a time as it can.
//
// `dim` is that of the layout. kPlain: takes_plain_gradients().
template <UpdateRule Rule, class Value, bool kPlain, class Dim>
struct Update {
  [[gnu::always_inline]] static std::uint32_t run(const UpdateJob& shared_job, Dim dim) {
    // Locals, which nothing that is stored to a row can change.
    const RowLayout layout = *shared_job.layout;
    UpdateJob job = shared_job;
    job.layout = &layout;
    const float bound = job.arguments->weight_bound;
    std::array<RowGradient, kBlockRows> gradients;
    std::array<typename Rule::RowTerms, kBlockRows> terms;
    const std::uint32_t skipped = measure(job, dim, gradients);
    const auto changed = [&](const auto& f) __attribute__((always_inline)) {
      for (std::int32_t r = 0; r < job.num_rows; ++r)
        if ((skipped >> r & 1U) == 0) [[likely]]
          f(r);
    };
    alignas(64) std::array<float, std::size_t{kBlockRows} * kMaxDim> scratch;
    changed([&](std::int32_t r) __attribute__((always_inline)) {
      terms[r] =
          begin(job, dim, bound, job.rows[r], gradients[r], &scratch[static_cast<std::size_t>(r) * kMaxDim]);
    });
    changed([&](std::int32_t r) __attribute__((always_inline)) {
      float* const own_scratch = scratch.data() + static_cast<std::size_t>(r) * kMaxDim;
      Row row(job, dim, bound, job.rows[r], own_scratch);
      if constexpr (NormRule<Rule>)
        move_along(job, row, terms[r], gradients[r].values, own_scratch);
      else
        move(job, row, terms[r], gradients[r].values);
      row.close();
    });
    return skipped;
  }

 private:
  using Row = OpenRow<Rule, Value, Dim>;

  // Returns a bit for each row whose gradient is not finite: a finite sum of squares is of finite numbers.
  [[gnu::always_inline]] static std::uint32_t measure(const UpdateJob& job, Dim dim,
                                                      std::array<RowGradient, kBlockRows>& gradients) {
    std::uint32_t skipped = 0;
    for (std::int32_t r = 0; r < job.num_rows; ++r) {
      const float* const values = job.gradients + static_cast<std::ptrdiff_t>(job.positions[r]) * dim;
      gradients[r] = {values, dim, sum_of_squares(values, dim)};
    }
    for (std::int32_t r = 0; r < job.num_rows; ++r)
      if (!(gradients[r].squares <= std::numeric_limits<float>::max()) &&
          !all_finite(gradients[r].values, dim)) [[unlikely]]
        skipped |= 1U << r;
    return skipped;
  }

  // What is the same for all elements; brings the gradient to what the rule shall have. Shape: scratch (dim),
  // where the gradient stands if it had to be changed.
  [[gnu::always_inline]] static typename Rule::RowTerms begin(const UpdateJob& job, Dim dim, float bound,
                                                              std::byte* record, RowGradient& gradient,
                                                              float* scratch) {
    const UpdateArguments& arguments = *job.arguments;
    count_update<Rule, Value>(*job.layout, record);
    const Row row(job, dim, bound, record, scratch);
    if (!kPlain && arguments.clips) {
      clip(arguments, gradient.values, dim, scratch);
      gradient = {scratch, dim, sum_of_squares(scratch, dim)};
    }
    if (!kPlain && Rule::decays_gradient && arguments.weight_decay != 0) {
      over_lanes(
          dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
            const auto part = load<Floats>(gradient.values + begin, size);
            store(part + arguments.weight_decay * row.values(begin, size), scratch + begin, size);
          });
      gradient = {scratch, dim, sum_of_squares(scratch, dim)};
    }
    gradient.count = row.count();
    return Rule::begin_row(arguments, gradient, row.row_states());
  }

  [[gnu::always_inline]] static void move(const UpdateJob& job, Row& row,
                                          const typename Rule::RowTerms& terms, const float* gradient) {
    over_lanes(
        row.dim(), [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          typename Row::States own;
          row.get_states(own, begin, size);
          Floats part = row.values(begin, size);
          Rule::apply(*job.arguments, terms, part, load<Floats>(gradient + begin, size), own.data());
          row.set_states(own, begin, size);
          row.set_values(part, begin, size);
        });
  }

  // `direction` (dim) is scratch and may be the gradient.
  [[gnu::always_inline]] static void move_along(const UpdateJob& job, Row& row,
                                                const typename Rule::RowTerms& terms, const float* gradient,
                                                float* direction) {
    const Dim dim = row.dim();
    Floats values_squared{};
    Floats direction_squared{};
    over_lanes(
        dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          typename Row::States own;
          row.get_states(own, begin, size);
          const Floats part = row.values(begin, size);
          const Floats along =
              Rule::direction(*job.arguments, terms, part, load<Floats>(gradient + begin, size), own.data());
          row.set_states(own, begin, size);
          store(along, direction + begin, size);
          values_squared += part * part;
          direction_squared += along * along;
        });
    const float step =
        Rule::step(*job.arguments, sum_of_lanes(values_squared), sum_of_lanes(direction_squared));
    over_lanes(
        dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          const Floats part = row.values(begin, size) - step * load<Floats>(direction + begin, size);
          row.set_values(part, begin, size);
        });
  }
};

template <UpdateRule Rule, class Value>
[[gnu::always_inline]] inline std::uint32_t update_rows(const UpdateJob& job) {
  const std::int32_t any_dim = job.layout->dim;
  if (!takes_plain_gradients<Rule>(*job.arguments))
    return Update<Rule, Value, false, std::int32_t>::run(job, any_dim);
  return for_dim(
      any_dim, [&]<class Dim>(Dim dim)
                   __attribute__((always_inline)) { return Update<Rule, Value, true, Dim>::run(job, dim); });
}

}  // namespace persia::table
