// Bodies of the row loops that copy, inlined into one function per instruction set by kernels_*.cpp only.
// update_body.hpp has the one that changes rows.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "table/kernels.hpp"
#include "table/lanes.hpp"
#include "table/precision.hpp"

namespace persia::table {

// The values of one record.
template <class Value>
class StoredValues {
 public:
  [[gnu::always_inline]] StoredValues(const RowLayout& layout, const std::byte* row)
      : values_(reinterpret_cast<const typename Value::Stored*>(row + layout.values_offset)) {
    if constexpr (Value::has_scale) std::memcpy(&scale_, row + kScaleOffset, sizeof scale_);
  }

  [[gnu::always_inline]] [[nodiscard]] Floats load(std::int32_t begin, std::int32_t size) const {
    if constexpr (std::is_same_v<Value, Fp32>)
      return table::load<Floats>(values_ + begin, size);
    else if constexpr (Value::has_scale)
      return Value::decode(table::load<Int8s>(values_ + begin, size), scale_);
    else
      return Eight<Value>::decode(table::load<Halves>(values_ + begin, size));
  }

 private:
  const typename Value::Stored* values_;
  float scale_ = 0;
};

// The bits of the largest magnitude. Shape: values (dim). NaN counts as larger than all numbers.
template <class Dim>
[[gnu::always_inline]] inline std::uint32_t largest_magnitude(const float* values, Dim dim) {
  Words largest{};
  over_lanes(
      dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
        largest = larger<Words>(largest, as_word(load<Floats>(values + begin, size)) & ~bits::kSign);
      });
  std::uint32_t result = 0;
  for (std::int32_t i = 0; i < kLanes; ++i) result = larger<std::uint32_t>(result, largest[i]);
  return result;
}

template <class Value>
[[gnu::always_inline]] inline void gather_rows(const GatherJob& job) {
  for_dim(
      job.layout->dim, [&](auto dim) __attribute__((always_inline)) {
        for (std::int32_t r = 0; r < job.num_rows; ++r) {
          const StoredValues<Value> stored(*job.layout, job.rows[r]);
          float* const out = job.out + static_cast<std::ptrdiff_t>(job.positions[r]) * dim;
          over_lanes(
              dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
                store(stored.load(begin, size), out + begin, size);
              });
        }
      });
}

template <class Value>
struct Store {
  [[gnu::always_inline]] static void run(const RowLayout& layout, const float* values, std::byte* row) {
    auto* const stored = reinterpret_cast<typename Value::Stored*>(row + layout.values_offset);
    float scale = 0;
    if constexpr (Value::has_scale) {
      scale = Value::scale_for(largest_magnitude(values, layout.dim));
      std::memcpy(row + kScaleOffset, &scale, sizeof scale);
    }
    over_lanes(
        layout.dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
          const auto part = load<Floats>(values + begin, size);
          if constexpr (std::is_same_v<Value, Fp32>)
            store(part, stored + begin, size);
          else if constexpr (Value::has_scale)
            store(Value::nearest(part, scale), stored + begin, size);
          else
            store(Eight<Value>::nearest(part), stored + begin, size);
        });
  }
};

}  // namespace persia::table
