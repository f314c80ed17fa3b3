// Values of rows and gradients on the wire: fp32, or 16 bits each.
//
// fp32: as they are. fp16 (IEEE binary16): a factor in fp32, a power of two that brings the largest magnitude
// to [2^14, 2^15), then the products rounded to nearest, so that gradients of 1e-9 travel as well as values
// of 1. bf16: the upper half of fp32, rounded to nearest. Infinities and NaN arrive as such (a NaN as a quiet
// one); then the factor is 1 and what is beyond the range of fp16 becomes infinite. Pure functions; the same
// bits on every machine. Callers: embed, serve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace persia::wire {

enum class ValueFormat : std::uint16_t { fp32 = 0, fp16 = 1, bf16 = 2 };
inline constexpr std::uint16_t kNumValueFormats = 3;

// Of one block of so many values, none for none. Blocks are not padded.
[[nodiscard]] std::size_t encoded_bytes(ValueFormat format, std::size_t num_values);
// Shape: to (encoded_bytes).
void encode_values(ValueFormat format, std::span<const float> values, std::byte* to);
// Shape: from (encoded_bytes).
void decode_values(ValueFormat format, const std::byte* from, std::span<float> values);

}  // namespace persia::wire
