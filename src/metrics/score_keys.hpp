// Scores as integers of the same order, sorted and counted exactly.
//
// Used by auc.cpp and quality_meter.cpp. Pure functions.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace persia::metrics {

// An integer whose order is that of the floats; -0 and +0 are one key. Pre: not NaN.
[[nodiscard]] constexpr std::uint32_t score_key(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

// Ascending. Cost: three counting passes, 4 bytes per key of extra memory.
void sort_keys(std::vector<std::uint32_t>& keys);

// P(positive > negative) + half of the ties, counted in 128-bit integers and divided once; nullopt if one of
// the two is empty. Pre: both ascending. Shape: any lengths below 2^62.
[[nodiscard]] std::optional<double> auc_of_sorted(const std::vector<std::uint32_t>& positives,
                                                  const std::vector<std::uint32_t>& negatives);

}  // namespace persia::metrics
