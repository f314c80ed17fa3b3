// Bodies of the row loops, inlined into one function per instruction set by kernels_*.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "table/kernels.hpp"
#include "table/lanes.hpp"
#include "table/optimizers/rule.hpp"
#include "table/precision.hpp"
#include "table/rounding.hpp"

namespace persia::table {

// Calls f(begin, size) for stretches of eight elements; the last may be shorter. Full ones have a constant
// size.
template <class F>
[[gnu::always_inline]] inline void over_lanes(std::int32_t dim, const F& f) {
  std::int32_t begin = 0;
  for (; begin + kLanes <= dim; begin += kLanes) f(begin, kLanes);
  if (begin < dim) f(begin, dim - begin);
}

template <class Value>
[[gnu::always_inline]] inline Floats load_values(const typename Value::Stored* stored, std::int32_t size) {
  if constexpr (std::is_same_v<Value, Fp32>)
    return load<Floats>(stored, size);
  else
    return Value::template decode<Words>(__builtin_convertvector(load<Halves>(stored, size), Words));
}

template <class Value>
struct Gather {
  [[gnu::always_inline]] static void run(const GatherJob& job) {
    const std::int32_t dim = job.layout->dim;
    for (std::int32_t r = 0; r < job.num_rows; ++r) {
      const auto* stored = reinterpret_cast<const typename Value::Stored*>(job.rows[r] + kValuesOffset);
      float* const out = job.out + static_cast<std::ptrdiff_t>(r) * dim;
      over_lanes(
          dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
            store(load_values<Value>(stored + begin, size), out + begin, size);
          });
    }
  }
};

template <class Value>
struct Store {
  [[gnu::always_inline]] static void run(const RowLayout& layout, const float* values, std::byte* row) {
    auto* const stored = reinterpret_cast<typename Value::Stored*>(row + kValuesOffset);
    over_lanes(
        layout.dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          const auto part = load<Floats>(values + begin, size);
          if constexpr (std::is_same_v<Value, Fp32>)
            store(part, stored + begin, size);
          else
            store(__builtin_convertvector(Value::template nearest<Words>(part), Halves), stored + begin,
                  size);
        });
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

  [[gnu::always_inline]] static bool all_finite(const float* values, std::int32_t dim) {
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

  [[gnu::always_inline]] static void update_row(const UpdateJob& job, const float* gradient, std::byte* row) {
    const RowLayout& layout = *job.layout;
    const UpdateArguments& arguments = *job.arguments;
    auto* const values = reinterpret_cast<Stored*>(row + kValuesOffset);
    auto* const states = reinterpret_cast<float*>(row + layout.state_offset);
    float count = 0;
    if constexpr (Rule::counts_updates || Value::rounds)
      count = states[layout.state_floats - 1] = next_count(states[layout.state_floats - 1]);
    alignas(64) std::array<float, kMaxDim> decayed;
    if (arguments.weight_decay != 0) {
      over_lanes(
          layout.dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
            const auto part = load<Floats>(gradient + begin, size);
            store(part + arguments.weight_decay * load_values<Value>(values + begin, size), &decayed[begin],
                  size);
          });
      gradient = decayed.data();
    }
    const auto terms = Rule::begin_row(arguments, {gradient, layout.dim, count},
                                       states + Rule::element_states.size() * layout.dim);
    std::uint64_t id;
    std::memcpy(&id, row, sizeof id);
    const RoundingStream random(job.rounding_key, id, static_cast<std::uint64_t>(count));
    over_lanes(
        layout.dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          constexpr std::size_t num_states = Rule::element_states.size();
          std::array<Floats, std::max<std::size_t>(num_states, 1)> own;
          for (std::size_t k = 0; k < num_states; ++k)
            own[k] = load<Floats>(states + k * layout.dim + begin, size);
          Floats part = load_values<Value>(values + begin, size);
          Rule::apply(arguments, terms, part, load<Floats>(gradient + begin, size), own.data());
          for (std::size_t k = 0; k < num_states; ++k) store(own[k], states + k * layout.dim + begin, size);
          store_rounded(part, random, values, begin, size);
        });
  }

  [[gnu::always_inline]] static void store_rounded(const Floats& part, const RoundingStream& random,
                                                   Stored* values, std::int32_t begin, std::int32_t size) {
    if constexpr (Value::rounds) {
      const Words elements = Words{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<std::uint32_t>(begin);
      const Words rounded = Value::template stochastic<Words>(part, random.bits(elements));
      store(__builtin_convertvector(rounded, Halves), values + begin, size);
    } else {
      store(part, values + begin, size);
    }
  }
};

}  // namespace persia::table
