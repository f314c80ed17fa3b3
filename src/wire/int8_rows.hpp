// Rows of fp32 to int8 with a scale for each, and back; to nearest, ties to even. For values.cpp alone.
//
// int8_rows_x86_64.cpp takes eight values at a time where the processor has AVX2, int8_rows_any.cpp one; both
// give the same. Layout and meaning: values.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace persia::wire {

// Shape: values (n, dim), bytes (n, kScaleBytes + dim), at any address. Pre: dim > 0.
void to_int8_rows(std::span<const float> values, std::size_t dim, std::byte* bytes);
void from_int8_rows(const std::byte* bytes, std::size_t dim, std::span<float> values);

inline constexpr std::size_t kScaleBytes = sizeof(std::uint16_t);

}  // namespace persia::wire
