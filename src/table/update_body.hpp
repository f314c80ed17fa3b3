// The row loop that changes rows, inlined into one function per instruction set by kernels_*.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "table/clip.hpp"
#include "table/kernel_bodies.hpp"
#include "table/optimizers/rule.hpp"
#include "table/rounding.hpp"

namespace persia::table {

[[gnu::always_inline]] inline bool all_finite(const float* values, std::int32_t dim) {
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

// A row's numbers while it is changed.
template <UpdateRule Rule, class Value>
class OpenRow {
 public:
  using Stored = typename Value::Stored;
  static constexpr std::size_t kStates = Rule::element_states.size();
  using States = std::array<Floats, std::max<std::size_t>(kStates, 1)>;

  // Counts the update where the table counts.
  [[gnu::always_inline]] OpenRow(const UpdateJob& job, std::byte* row)
      : dim_(job.layout->dim),
        values_(reinterpret_cast<Stored*>(row + job.layout->values_offset)),
        states_(reinterpret_cast<float*>(row + job.layout->state_offset)),
        count_(counted(states_ + job.layout->count_state())),
        bound_(job.arguments->weight_bound),
        random_(job.rounding_key, id_of(row), static_cast<std::uint64_t>(count_)) {}

  [[gnu::always_inline]] [[nodiscard]] float count() const { return count_; }
  [[gnu::always_inline]] [[nodiscard]] float* row_states() const { return states_ + kStates * dim_; }

  [[gnu::always_inline]] [[nodiscard]] Floats values(std::int32_t begin, std::int32_t size) const {
    return load_values<Value>(values_ + begin, size);
  }
  // Within the weight bound.
  [[gnu::always_inline]] void set_values(const Floats& moved, std::int32_t begin, std::int32_t size) const {
    const Floats part = within(moved, bound_);
    if constexpr (Value::rounds) {
      const Words elements = Words{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<std::uint32_t>(begin);
      const Words rounded = Value::template stochastic<Words>(part, random_.bits(elements));
      store(__builtin_convertvector(rounded, Halves), values_ + begin, size);
    } else {
      store(part, values_ + begin, size);
    }
  }

  [[gnu::always_inline]] void get_states(States& own, std::int32_t begin, std::int32_t size) const {
    for (std::size_t k = 0; k < kStates; ++k) own[k] = load<Floats>(states_ + k * dim_ + begin, size);
  }
  [[gnu::always_inline]] void set_states(const States& own, std::int32_t begin, std::int32_t size) const {
    for (std::size_t k = 0; k < kStates; ++k) store(own[k], states_ + k * dim_ + begin, size);
  }

 private:
  [[gnu::always_inline]] static float counted(float* count) {
    if constexpr (Rule::counts_updates || Value::rounds) return *count = next_count(*count);
    return 0;
  }
  [[gnu::always_inline]] static std::uint64_t id_of(const std::byte* row) {
    std::uint64_t id;
    std::memcpy(&id, row, sizeof id);
    return id;
  }

  std::int32_t dim_;
  Stored* values_;
  float* states_;
  float count_;
  float bound_;
  RoundingStream random_;
};

template <UpdateRule Rule, class Value>
struct Update {
  [[gnu::always_inline]] static std::uint32_t run(const UpdateJob& job) {
    std::uint32_t skipped = 0;
    for (std::int32_t r = 0; r < job.num_rows; ++r) {
      const float* gradient = job.gradients + static_cast<std::ptrdiff_t>(r) * job.layout->dim;
      if (all_finite(gradient, job.layout->dim)) [[likely]]
        update_row(job, gradient, job.rows[r]);
      else
        skipped |= 1U << r;
    }
    return skipped;
  }

 private:
  using Row = OpenRow<Rule, Value>;

  [[gnu::always_inline]] static void update_row(const UpdateJob& job, const float* gradient,
                                                std::byte* record) {
    const UpdateArguments& arguments = *job.arguments;
    const std::int32_t dim = job.layout->dim;
    const Row row(job, record);
    alignas(64) std::array<float, kMaxDim> scratch;
    if (arguments.clips) {
      clip(arguments, gradient, dim, scratch.data());
      gradient = scratch.data();
    }
    if (Rule::decays_gradient && arguments.weight_decay != 0) {
      over_lanes(
          dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
            const auto part = load<Floats>(gradient + begin, size);
            store(part + arguments.weight_decay * row.values(begin, size), &scratch[begin], size);
          });
      gradient = scratch.data();
    }
    const auto terms = Rule::begin_row(arguments, {gradient, dim, row.count()}, row.row_states());
    if constexpr (NormRule<Rule>)
      move_along(job, row, terms, gradient, scratch.data());
    else
      move(job, row, terms, gradient);
  }

  [[gnu::always_inline]] static void move(const UpdateJob& job, const Row& row,
                                          const typename Rule::RowTerms& terms, const float* gradient) {
    over_lanes(
        job.layout->dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          typename Row::States own;
          row.get_states(own, begin, size);
          Floats part = row.values(begin, size);
          Rule::apply(*job.arguments, terms, part, load<Floats>(gradient + begin, size), own.data());
          row.set_states(own, begin, size);
          row.set_values(part, begin, size);
        });
  }

  // `direction` (dim) is scratch and may be the gradient.
  [[gnu::always_inline]] static void move_along(const UpdateJob& job, const Row& row,
                                                const typename Rule::RowTerms& terms, const float* gradient,
                                                float* direction) {
    const std::int32_t dim = job.layout->dim;
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

}  // namespace persia::table
