// First values of a row: a pure function of (seed, table salt, id), whatever the order of arrival or the
// rank.
//
// uniform: (2 k + 1 - 2^24) * 2^-24 * scale with 24 random bits k per value: symmetric, strictly within
// (-scale, scale). normal: scale * standard normal. truncated_normal: the same, drawn again beyond two
// standard deviations. constant: value. zero: 0. With per_sqrt_dim, scale is divided by the root of dim, so
// that the length of a row does not depend on dim. Thread safe.
#pragma once

#include <cstdint>
#include <span>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "table/kernels.hpp"

namespace persia::table {

class FirstValues {
 public:
  FirstValues(const config::Init& init, std::int32_t dim, std::uint64_t seed, std::uint64_t salt,
              UniformFunction uniform);
  // Shape: values (dim).
  void fill(FeatureId id, std::span<float> values) const;

 private:
  config::InitType type_;
  double value_;  // of constant
  double scale_;
  std::uint64_t seed_;
  std::uint64_t salt_;
  UniformFunction uniform_;
};

}  // namespace persia::table
