#include "wire/values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "wire/halves.hpp"
#include "wire/halves_portable.hpp"

namespace persia::wire {

namespace {

// 2^(14 - e) for the largest magnitude in [2^e, 2^(e + 1)), 1 where that is 0 or not finite. A power of two,
// and its inverse too.
float factor_for(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU);
  if (largest == 0 || largest >= kFloatInfinity) return 1;
  const int exponent = static_cast<int>(largest >> 23) - 127;
  const int factor_exponent = std::clamp(14 - exponent, -126, 126);
  return std::bit_cast<float>(static_cast<std::uint32_t>(factor_exponent + 127) << 23);
}

void encode_bf16(std::span<const float> values, std::byte* to) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(values[i]);
    const bool is_nan = (bits & 0x7FFFFFFFU) > kFloatInfinity;
    const auto half =
        static_cast<std::uint16_t>(is_nan ? 0x7FC0U : (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
    std::memcpy(to + 2 * i, &half, sizeof half);
  }
}

void decode_bf16(const std::byte* from, std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, from + 2 * i, sizeof half);
    values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
  }
}

}  // namespace

std::size_t encoded_bytes(ValueFormat format, std::size_t num_values) {
  if (num_values == 0) return 0;
  switch (format) {
    case ValueFormat::fp32:
      return num_values * sizeof(float);
    case ValueFormat::fp16:
      return sizeof(float) + num_values * sizeof(std::uint16_t);
    case ValueFormat::bf16:
      return num_values * sizeof(std::uint16_t);
  }
  return 0;
}

void encode_values(ValueFormat format, std::span<const float> values, std::byte* to) {
  if (values.empty()) return;
  if (format == ValueFormat::fp32) {
    std::memcpy(to, values.data(), values.size_bytes());
  } else if (format == ValueFormat::bf16) {
    encode_bf16(values, to);
  } else {
    const float factor = factor_for(values);
    std::memcpy(to, &factor, sizeof factor);
    to_halves(values, factor, to + sizeof factor);
  }
}

void decode_values(ValueFormat format, const std::byte* from, std::span<float> values) {
  if (values.empty()) return;
  if (format == ValueFormat::fp32) {
    std::memcpy(values.data(), from, values.size_bytes());
  } else if (format == ValueFormat::bf16) {
    decode_bf16(from, values);
  } else {
    float factor;
    std::memcpy(&factor, from, sizeof factor);
    from_halves(from + sizeof factor, 1 / factor, values);
  }
}

}  // namespace persia::wire
