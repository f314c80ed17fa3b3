// Rows of fp32 to int8 and back by plain arithmetic, for int8_rows_*.cpp alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "wire/int8_rows.hpp"

namespace persia::wire {

// Of a row whose largest magnitude has these bits: a 127th of it, rounded up to the upper half of a float, so
// that no value rounds to more than 127 of them. NaN for a row that holds one or an infinity. At least
// 2^-126, whose inverse is finite; at most the largest that is finite 127 times over.
[[nodiscard]] inline float scale_for(std::uint32_t largest) {
  constexpr std::uint32_t kInfinity = 0x7F800000U;
  constexpr std::uint32_t kLeast = 0x00800000U;  // 2^-126
  constexpr std::uint32_t kMost = 0x7C010000U;   // (1 + 2^-7) 2^121
  if (largest >= kInfinity) return std::bit_cast<float>(0x7FC00000U);
  const float part = std::bit_cast<float>(largest) * (1.0F / 127);
  const std::uint32_t above = (std::bit_cast<std::uint32_t>(part) + 0xFFFFU) & 0xFFFF0000U;
  return std::bit_cast<float>(std::clamp(above, kLeast, kMost));
}

inline void store_scale(float scale, std::byte* bytes) {
  const auto upper = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(scale) >> 16);
  std::memcpy(bytes, &upper, sizeof upper);
}
[[nodiscard]] inline float load_scale(const std::byte* bytes) {
  std::uint16_t upper;
  std::memcpy(&upper, bytes, sizeof upper);
  return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16);
}

[[nodiscard]] inline std::uint32_t largest_magnitude(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU);
  return largest;
}

// Added to 1.5 * 2^23 a value has no places below 1 left, and its whole number stands in the lowest byte.
inline void quantise(std::span<const float> values, float inverse, std::byte* codes) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float ratio = values[i] * inverse;
    const float whole = ratio + 0x1.8p23F;
    codes[i] = static_cast<std::byte>(std::bit_cast<std::uint32_t>(whole));
  }
}

inline void restore(const std::byte* codes, float scale, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(static_cast<std::int8_t>(codes[i])) * scale;
}

inline void to_int8_rows_portably(std::span<const float> values, std::size_t dim, std::byte* bytes) {
  for (; !values.empty(); values = values.subspan(dim), bytes += kScaleBytes + dim) {
    const float scale = scale_for(largest_magnitude(values.first(dim)));
    store_scale(scale, bytes);
    if (scale == scale)
      quantise(values.first(dim), 1 / scale, bytes + kScaleBytes);
    else
      std::fill_n(bytes + kScaleBytes, dim, std::byte{0});
  }
}

inline void from_int8_rows_portably(const std::byte* bytes, std::size_t dim, std::span<float> values) {
  for (; !values.empty(); values = values.subspan(dim), bytes += kScaleBytes + dim)
    restore(bytes + kScaleBytes, load_scale(bytes), values.first(dim));
}

}  // namespace persia::wire
