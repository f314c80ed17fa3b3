// Values as stored: fp32, fp16 (IEEE binary16) and bf16, to and from float.
//
// decode() is exact for every pattern. nearest() rounds to the nearest, ties to even. stochastic() rounds up
// with the probability that keeps the mean, given 32 random bits; a value that is representable stays as it
// is. Finite and infinite values beyond the range become the largest finite ones of the type, NaN stays NaN.
// Branch-free integer arithmetic that compilers turn into vectors, the same result on every machine. Pure
// functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace persia::table {

struct Fp32 {
  using Stored = float;
  static constexpr bool rounds = false;
  [[gnu::always_inline]] static constexpr float decode(float stored) { return stored; }
  [[gnu::always_inline]] static constexpr float nearest(float value) { return value; }
  [[gnu::always_inline]] static constexpr float stochastic(float value, std::uint32_t) { return value; }
};

namespace bits {
inline constexpr std::uint32_t kSign = 0x80000000U;
inline constexpr std::uint32_t kInfinity = 0x7F800000U;
inline constexpr std::uint32_t kOne = 0x3F800000U;
inline constexpr std::uint32_t kFraction = 0x007FFFFFU;
}  // namespace bits

struct Fp16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr std::uint32_t kMinNormal = 113U << 23;  // 2^-14 as float
  static constexpr std::uint32_t kLargest = 0x7BFF;        // 65504
  static constexpr std::uint32_t kRebias = 112U << 23;

  [[gnu::always_inline]] static constexpr float decode(std::uint16_t stored) {
    const std::uint32_t magnitude = stored & 0x7FFFU;
    const std::uint32_t normal = (magnitude << 13) + (magnitude < 0x7C00U ? kRebias : 2 * kRebias);
    // A subnormal is its fraction in units of 2^-24: put it into the last places of 2^-14 and take 2^-14
    // away.
    const float subnormal =
        std::bit_cast<float>(kMinNormal | magnitude << 13) - std::bit_cast<float>(kMinNormal);
    const std::uint32_t result = magnitude < 0x400U ? std::bit_cast<std::uint32_t>(subnormal) : normal;
    return std::bit_cast<float>(result | (stored & 0x8000U) << 16);
  }

  [[gnu::always_inline]] static constexpr std::uint16_t nearest(float value) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & ~bits::kSign;
    const std::uint32_t normal = (magnitude - kRebias + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
    // Adding 0.5 leaves the last place at 2^-24, which is what the processor then rounds to.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F);
    return finish(value, magnitude < kMinNormal ? subnormal : normal);
  }

  [[gnu::always_inline]] static constexpr std::uint16_t stochastic(float value, std::uint32_t random) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & ~bits::kSign;
    const std::uint32_t normal = (magnitude - kRebias + (random & 0x1FFFU)) >> 13;
    // fraction * 2^(exponent - 150) is fraction / 2^places in units of 2^-24, with places = 126 - exponent
    // >= 14.
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t fraction = (magnitude & bits::kFraction) | (exponent > 0 ? bits::kFraction + 1 : 0U);
    const std::uint32_t places = 126U - std::min(exponent, 112U);
    const std::uint32_t shift = std::min(places, 31U);
    const std::uint32_t visible = fraction >> std::min(places - shift, 31U);
    const std::uint32_t subnormal = (visible + (random & ((1U << shift) - 1U))) >> shift;
    return finish(value, magnitude < kMinNormal ? subnormal : normal);
  }

 private:
  [[gnu::always_inline]] static constexpr std::uint16_t finish(float value, std::uint32_t rounded) {
    const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = all & ~bits::kSign;
    const std::uint32_t finite = magnitude >= bits::kInfinity ? kLargest : std::min(rounded, kLargest);
    const std::uint32_t result = magnitude > bits::kInfinity ? 0x7E00U : finite;
    return static_cast<std::uint16_t>(result | (all & bits::kSign) >> 16);
  }
};

struct Bf16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr std::uint32_t kLargest = 0x7F7F;

  [[gnu::always_inline]] static constexpr float decode(std::uint16_t stored) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16);
  }

  [[gnu::always_inline]] static constexpr std::uint16_t nearest(float value) {
    const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
    return finish(all, 0x7FFFU + (all >> 16 & 1U));
  }

  [[gnu::always_inline]] static constexpr std::uint16_t stochastic(float value, std::uint32_t random) {
    return finish(std::bit_cast<std::uint32_t>(value), random & 0xFFFFU);
  }

 private:
  [[gnu::always_inline]] static constexpr std::uint16_t finish(std::uint32_t all, std::uint32_t added) {
    const std::uint32_t magnitude = all & ~bits::kSign;
    const std::uint32_t finite = std::min((magnitude + added) >> 16, kLargest);
    const std::uint32_t result = magnitude > bits::kInfinity ? 0x7FC0U : finite;
    return static_cast<std::uint16_t>(result | (all & bits::kSign) >> 16);
  }
};

}  // namespace persia::table
