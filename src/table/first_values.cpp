// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

#include "table/first_values.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace persia::table {

namespace {

// Draw number n of value i has the counter n * dim + i.
double truncated_normal(std::uint64_t key, std::size_t i, std::size_t dim) {
  for (std::uint64_t counter = i;; counter += dim) {
    const double value = random_normal(key, 0, counter);
    if (std::abs(value) <= 2) return value;
  }
}

}  // namespace

FirstValues::FirstValues(const config::Init& init, std::int32_t dim, std::uint64_t seed, std::uint64_t salt,
                         UniformFunction uniform)
    : type_(init.type),
      value_(init.value),
      scale_(init.per_sqrt_dim ? init.scale / std::sqrt(static_cast<double>(dim)) : init.scale),
      seed_(seed),
      salt_(salt),
      uniform_(uniform) {}

void FirstValues::fill(FeatureId id, std::span<float> values) const {
  const std::uint64_t key = random_bits(seed_, salt_, id.value());
  switch (type_) {
    case config::InitType::uniform:
      return uniform_(key, static_cast<float>(scale_ * 0x1.0p-24), static_cast<std::int32_t>(values.size()),
                      values.data());
    case config::InitType::normal:
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(scale_ * random_normal(key, 0, i));
      return;
    case config::InitType::truncated_normal:
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(scale_ * truncated_normal(key, i, values.size()));
      return;
    case config::InitType::constant:
      std::ranges::fill(values, static_cast<float>(value_));
      return;
    case config::InitType::zero:
      std::ranges::fill(values, 0.0F);
      return;
  }
}

}  // namespace persia::table
