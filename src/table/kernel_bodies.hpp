// Bodies of the row loops that copy, inlined into one function per instruction set by kernels_*.cpp only.
// update_body.hpp has the one that changes rows.
#pragma once

#include <cstddef>
#include <type_traits>

#include "table/kernels.hpp"
#include "table/lanes.hpp"
#include "table/precision.hpp"

namespace persia::table {

template <class Value>
[[gnu::always_inline]] inline Floats load_values(const typename Value::Stored* stored, std::int32_t size) {
  if constexpr (std::is_same_v<Value, Fp32>)
    return load<Floats>(stored, size);
  else
    return Eight<Value>::decode(load<Halves>(stored, size));
}

template <class Value>
struct Gather {
  [[gnu::always_inline]] static void run(const GatherJob& job) {
    const std::int32_t dim = job.layout->dim;
    for (std::int32_t r = 0; r < job.num_rows; ++r) {
      const auto* stored =
          reinterpret_cast<const typename Value::Stored*>(job.rows[r] + job.layout->values_offset);
      float* const out = job.out + static_cast<std::ptrdiff_t>(job.positions[r]) * dim;
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
    auto* const stored = reinterpret_cast<typename Value::Stored*>(row + layout.values_offset);
    over_lanes(
        layout.dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          const auto part = load<Floats>(values + begin, size);
          if constexpr (std::is_same_v<Value, Fp32>)
            store(part, stored + begin, size);
          else
            store(Eight<Value>::nearest(part), stored + begin, size);
        });
  }
};

}  // namespace persia::table
