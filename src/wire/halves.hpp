// fp32 to fp16 and back, times a power of two; to nearest, ties to even. For values.cpp alone.
//
// halves_x86_64.cpp uses the processor's own conversions where it has them, halves_any.cpp arithmetic on the
// bits; both give the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace persia::wire {

// Halves stand one after the other, at any address.
void to_halves(std::span<const float> values, float factor, std::byte* halves);
void from_halves(const std::byte* halves, float factor, std::span<float> values);

}  // namespace persia::wire
