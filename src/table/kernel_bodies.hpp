// Bodies of the row loops, inlined into one function per instruction set by kernels_*.cpp only.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "table/kernels.hpp"
#include "table/optimizers/rule.hpp"
#include "table/precision.hpp"
#include "table/rounding.hpp"

namespace persia::table {

template <class Value>
struct Gather {
  [[gnu::always_inline]] static void run(const GatherJob& job) {
    const std::int32_t dim = job.layout->dim;
    for (std::int32_t r = 0; r < job.num_rows; ++r) {
      const auto* __restrict stored =
          reinterpret_cast<const typename Value::Stored*>(job.rows[r] + kValuesOffset);
      float* __restrict out = job.out + static_cast<std::ptrdiff_t>(r) * dim;
      for (std::int32_t i = 0; i < dim; ++i) out[i] = Value::decode(stored[i]);
    }
  }
};

template <class Value>
struct Store {
  [[gnu::always_inline]] static void run(const RowLayout& layout, const float* values, std::byte* row) {
    auto* stored = reinterpret_cast<typename Value::Stored*>(row + kValuesOffset);
    for (std::int32_t i = 0; i < layout.dim; ++i) stored[i] = Value::nearest(values[i]);
  }
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
  using Stored = typename Value::Stored;

  [[gnu::always_inline]] static bool all_finite(const float* values, std::int32_t size) {
    std::uint32_t largest = 0;
    for (std::int32_t i = 0; i < size; ++i)
      largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i]) & ~bits::kSign);
    return largest < bits::kInfinity;
  }

  [[gnu::always_inline]] static void update_row(const UpdateJob& job, const float* gradient, std::byte* row) {
    const RowLayout& layout = *job.layout;
    const UpdateArguments& arguments = *job.arguments;
    auto* values = reinterpret_cast<Stored*>(row + kValuesOffset);
    auto* states = reinterpret_cast<float*>(row + layout.state_offset);
    float count = 0;
    if constexpr (Rule::counts_updates || Value::rounds)
      count = states[layout.state_floats - 1] = next_count(states[layout.state_floats - 1]);

    alignas(64) std::array<float, kMaxDim> decayed;
    if (arguments.weight_decay != 0) {
      for (std::int32_t i = 0; i < layout.dim; ++i)
        decayed[i] = gradient[i] + arguments.weight_decay * Value::decode(values[i]);
      gradient = decayed.data();
    }
    const auto terms = Rule::begin_row(arguments, {gradient, layout.dim, count},
                                       states + Rule::element_states.size() * layout.dim);
    if constexpr (Value::rounds)
      apply_rounded(job, terms, gradient, row, count);
    else
      Rule::apply(arguments, terms, {values, gradient, states, layout.dim, layout.dim});
  }

  // Stretch by stretch through a buffer of floats that stays in the nearest cache.
  [[gnu::always_inline]] static void apply_rounded(const UpdateJob& job, const typename Rule::RowTerms& terms,
                                                   const float* gradient, std::byte* row, float count) {
    constexpr std::int32_t stretch = 64;
    const std::int32_t dim = job.layout->dim;
    auto* stored = reinterpret_cast<Stored*>(row + kValuesOffset);
    auto* states = reinterpret_cast<float*>(row + job.layout->state_offset);
    std::uint64_t id;
    std::memcpy(&id, row, sizeof id);
    const RoundingStream random(job.rounding_key, id, static_cast<std::uint64_t>(count));
    alignas(64) std::array<float, stretch> values;
    for (std::int32_t begin = 0; begin < dim; begin += stretch) {
      const std::int32_t size = std::min(stretch, dim - begin);
      for (std::int32_t i = 0; i < size; ++i) values[i] = Value::decode(stored[begin + i]);
      Rule::apply(*job.arguments, terms, {values.data(), gradient + begin, states + begin, dim, size});
      for (std::int32_t i = 0; i < size; ++i)
        stored[begin + i] = Value::stochastic(values[i], random.bits(static_cast<std::uint32_t>(begin + i)));
    }
  }
};

}  // namespace persia::table
