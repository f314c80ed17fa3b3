// fp32 to fp16 and back by arithmetic on the bits, for halves_*.cpp alone.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace persia::wire {

inline constexpr std::uint32_t kFloatInfinity = 0x7F800000U;

// Adding a number whose last place is that of the result leaves the rounding to the processor.
[[nodiscard]] inline std::uint16_t half_of(float value) {
  constexpr std::uint32_t kTooLarge = 0x477FF000U;     // 65520, which rounds to infinity
  constexpr std::uint32_t kLeastNormal = 0x38800000U;  // 2^-14
  constexpr std::uint32_t kRebias = 112U << 23;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (magnitude > kFloatInfinity)
    half = 0x7E00;
  else if (magnitude >= kTooLarge)
    half = 0x7C00;
  else if (magnitude < kLeastNormal)
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
           std::bit_cast<std::uint32_t>(0.5F);
  else
    half = (magnitude - kRebias + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
  return static_cast<std::uint16_t>(half | (magnitude > kFloatInfinity ? 0 : bits >> 16 & 0x8000U));
}

[[nodiscard]] inline float float_of(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  if (magnitude > 0x7C00) return std::bit_cast<float>(0x7FC00000U);
  if (magnitude == 0x7C00) return std::bit_cast<float>(sign | kFloatInfinity);
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + (112U << 23)));
  const float size = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -size : size;
}

inline void to_halves_portably(std::span<const float> values, float factor, std::byte* halves) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t half = half_of(values[i] * factor);
    std::memcpy(halves + 2 * i, &half, sizeof half);
  }
}

inline void from_halves_portably(const std::byte* halves, float factor, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, halves + 2 * i, sizeof half);
    values[i] = float_of(half) * factor;
  }
}

}  // namespace persia::wire
