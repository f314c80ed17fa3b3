// First values of a row: a pure function of (seed, table salt, id), whatever the order of arrival or the
// rank.
//
// uniform: (2 k + 1 - 2^24) * 2^-24 * scale with 24 random bits k per value: symmetric, strictly within
// (-scale, scale). normal: scale * standard normal. zero: 0. Thread safe.
#pragma once

#include <cstdint>
#include <span>

#include "base/strong.hpp"
#include "config/run_file.hpp"

namespace persia::table {

class FirstValues {
 public:
  FirstValues(const config::Init& init, std::uint64_t seed, std::uint64_t salt);
  // Shape: values (dim).
  void fill(FeatureId id, std::span<float> values) const;

 private:
  config::Init init_;
  std::uint64_t seed_;
  std::uint64_t salt_;
};

}  // namespace persia::table
