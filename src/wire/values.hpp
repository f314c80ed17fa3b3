// Values of rows and gradients on the wire: fp32, 16 bits each, or 8 bits each with a scale for each row.
//
// fp32: as they are. fp16 (IEEE binary16): a factor in fp32, a power of two that brings the largest magnitude
// to [2^14, 2^15), then the products rounded to nearest, so that gradients of 1e-9 travel as well as values
// of 1. bf16: the upper half of fp32, rounded to nearest. Infinities and NaN arrive as such (a NaN as a quiet
// one); then the factor is 1 and what is beyond the range of fp16 becomes infinite.
//
// int8: row by row its scale s and then a whole number n in [-127, 127] for each value, which arrives as n s.
// s is a 127th of the row's largest magnitude, rounded up to the upper half of fp32 (u16), so a value is off
// by at most s / 2, but for the rounding of fp32 itself; zeros are exact. A row with an infinity or a NaN
// arrives as NaN from its first value to its last, as owners leave out such a row's gradient as a whole. The
// scale is of a row, not of a block of rows, because gradients of frequent ids are many times larger than
// those of rare ones, which would be rounded to nothing beside them; it has the exponent of fp32, because a
// 127th of a small gradient is below the range of fp16; and two bytes, because at a dim of 8 four would be a
// third of the row.
//
// Pure functions; the same bits on every machine. Callers: embed, serve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace persia::wire {

enum class ValueFormat : std::uint16_t { fp32 = 0, fp16 = 1, bf16 = 2, int8 = 3 };
inline constexpr std::uint16_t kNumValueFormats = 4;

// Rows of one table in a message, row-major.
struct Block {
  std::size_t num_rows = 0;
  std::size_t dim = 0;
  [[nodiscard]] constexpr std::size_t num_values() const { return num_rows * dim; }
};

// None for a block without values. Blocks are not padded.
[[nodiscard]] std::size_t encoded_bytes(ValueFormat format, Block block);
// Shape: values (n, dim), to (encoded_bytes).
void encode_values(ValueFormat format, std::size_t dim, std::span<const float> values, std::byte* to);
// Shape: from (encoded_bytes), values (n, dim).
void decode_values(ValueFormat format, std::size_t dim, const std::byte* from, std::span<float> values);

}  // namespace persia::wire
