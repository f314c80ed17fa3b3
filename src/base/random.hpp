// Counter-based random numbers: every value is a pure function of (seed, stream, counter), so results do not
// depend on order, thread or rank count. Not for cryptography.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/hash.hpp"

namespace persia {

[[nodiscard]] constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream,
                                                  std::uint64_t counter) {
  return mix64(mix64(seed + stream) + counter);
}

// [0, 1) with 53 bits.
[[nodiscard]] constexpr double random_uniform(std::uint64_t seed, std::uint64_t stream,
                                              std::uint64_t counter) {
  return static_cast<double>(random_bits(seed, stream, counter) >> 11) * 0x1.0p-53;
}

// Standard normal by Box-Muller; uses counters 2 * counter and 2 * counter + 1.
[[nodiscard]] inline double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
  const double u = 1.0 - random_uniform(seed, stream, 2 * counter);
  const double v = random_uniform(seed, stream, 2 * counter + 1);
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

// [0, bound) of 64 random bits: their share of 2^64. Pre: bound > 0.
[[nodiscard]] constexpr std::uint64_t share_of_bits(std::uint64_t bits, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}

// [0, bound) without visible bias for bounds below 2^32. Pre: bound > 0.
[[nodiscard]] constexpr std::uint64_t random_below(std::uint64_t seed, std::uint64_t stream,
                                                   std::uint64_t counter, std::uint64_t bound) {
  return share_of_bits(random_bits(seed, stream, counter), bound);
}

}  // namespace persia
