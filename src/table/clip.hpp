// Gradient clipping of one row: first each number to [-clip_value, clip_value], then the row to a Euclidean
// norm of at most clip_norm, its direction kept (Pascanu, Mikolov, Bengio, "On the difficulty of training
// recurrent neural networks", ICML 2013, Algorithm 1).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "table/optimizers/rule.hpp"

namespace persia::table {

[[gnu::always_inline]] inline void scale(float* values, std::int32_t dim, float factor) {
  over_lanes(
      dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
        store(factor * load<Floats>(values + begin, size), values + begin, size);
      });
}

// Shape: gradient, clipped (dim). Pre: finite.
[[gnu::always_inline]] inline void clip(const UpdateArguments& arguments, const float* gradient,
                                        std::int32_t dim, float* clipped) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  over_lanes(
      dim, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
        store(within(load<Floats>(gradient + begin, size), arguments.clip_value), clipped + begin, size);
      });
  if (arguments.clip_norm == infinity) return;
  float norm = std::sqrt(sum_of_squares(clipped, dim));
  if (norm <= arguments.clip_norm) return;
  if (norm == infinity) {  // squares beyond the largest float: those of 2^-100 of the row are not
    scale(clipped, dim, 0x1p-100F);
    norm = std::sqrt(sum_of_squares(clipped, dim));
  }
  scale(clipped, dim, arguments.clip_norm / norm);
}

}  // namespace persia::table
