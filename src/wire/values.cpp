#include "wire/values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "wire/halves.hpp"
#include "wire/halves_portable.hpp"
#include "wire/int8_rows.hpp"

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

std::size_t encoded_bytes(ValueFormat format, Block block) {
  const std::size_t num_values = block.num_values();
  if (num_values == 0) return 0;
  switch (format) {
    case ValueFormat::fp32:
      return num_values * sizeof(float);
    case ValueFormat::fp16:
      return sizeof(float) + num_values * sizeof(std::uint16_t);
    case ValueFormat::bf16:
      return num_values * sizeof(std::uint16_t);
    case ValueFormat::int8:
      return block.num_rows * kScaleBytes + num_values;
  }
  return 0;
}

void encode_values(ValueFormat format, std::size_t dim, std::span<const float> values, std::byte* to) {
  if (values.empty()) return;
  switch (format) {
    case ValueFormat::fp32:
      std::memcpy(to, values.data(), values.size_bytes());
      return;
    case ValueFormat::fp16: {
      const float factor = factor_for(values);
      std::memcpy(to, &factor, sizeof factor);
      return to_halves(values, factor, to + sizeof factor);
    }
    case ValueFormat::bf16:
      return encode_bf16(values, to);
    case ValueFormat::int8:
      return to_int8_rows(values, dim, to);
  }
}

void decode_values(ValueFormat format, std::size_t dim, const std::byte* from, std::span<float> values) {
  if (values.empty()) return;
  switch (format) {
    case ValueFormat::fp32:
      std::memcpy(values.data(), from, values.size_bytes());
      return;
    case ValueFormat::fp16: {
      float factor;
      std::memcpy(&factor, from, sizeof factor);
      return from_halves(from + sizeof factor, 1 / factor, values);
    }
    case ValueFormat::bf16:
      return decode_bf16(from, values);
    case ValueFormat::int8:
      return from_int8_rows(from, dim, values);
  }
}

}  // namespace persia::wire
