#include "table/first_values.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace persia::table {

namespace {

float symmetric(std::uint32_t random, float unit) {
  return static_cast<float>(static_cast<std::int32_t>(2 * (random >> 8) + 1) - (1 << 24)) * unit;
}

// One mixed word gives two values.
void fill_uniform(std::uint64_t key, float unit, std::span<float> values) {
  const std::size_t pairs = values.size() / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::uint64_t word = mix64(key + pair);
    values[2 * pair] = symmetric(static_cast<std::uint32_t>(word), unit);
    values[2 * pair + 1] = symmetric(static_cast<std::uint32_t>(word >> 32), unit);
  }
  if (values.size() % 2 == 1) values.back() = symmetric(static_cast<std::uint32_t>(mix64(key + pairs)), unit);
}

}  // namespace

FirstValues::FirstValues(const config::Init& init, std::uint64_t seed, std::uint64_t salt)
    : init_(init), seed_(seed), salt_(salt) {}

void FirstValues::fill(FeatureId id, std::span<float> values) const {
  const std::uint64_t key = random_bits(seed_, salt_, id.value());
  switch (init_.type) {
    case config::InitType::uniform:
      return fill_uniform(key, static_cast<float>(init_.scale * 0x1.0p-24), values);
    case config::InitType::normal:
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(init_.scale * random_normal(key, 0, i));
      return;
    case config::InitType::zero:
      std::ranges::fill(values, 0.0F);
      return;
  }
}

}  // namespace persia::table
