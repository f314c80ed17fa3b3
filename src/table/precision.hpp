// Values as stored: fp32, fp16 (IEEE binary16) and bf16, to and from float.
//
// decode() is exact for every pattern. nearest() rounds to the nearest, ties to even. stochastic() rounds
// away from zero with the probability that keeps the mean, given 32 random bits of which it takes the upper
// ones; a value that is representable stays as it is. Finite and infinite values beyond the range become the
// largest finite ones of the type, NaN stays NaN. Arithmetic on the bits, for one value (Word =
// std::uint32_t) or eight (Words), the same result on every machine. Pure functions.
//
// Eight<Value> is what the row loops use: a processor that converts by itself has its own
// (kernels_x86_64.cpp).
#pragma once

#include <cstdint>

#include "table/lanes.hpp"

namespace persia::table {

struct Fp32 {
  using Stored = float;
  static constexpr bool rounds = false;
};

namespace bits {
inline constexpr std::uint32_t kSign = 0x80000000U;
inline constexpr std::uint32_t kInfinity = 0x7F800000U;
}  // namespace bits

struct Fp16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr std::uint32_t kMinNormal = 113U << 23;  // 2^-14 as float
  static constexpr std::uint32_t kLargest = 0x7BFF;        // 65504
  static constexpr float kLargestValue = 65504;
  static constexpr std::uint32_t kRebias = 112U << 23;
  static constexpr std::uint32_t kQuiet = 1U << 22;  // processors make every NaN a quiet one

  template <class Word>
  [[gnu::always_inline]] static FloatOf<Word> decode(Word stored) {
    const Word magnitude = stored & 0x7FFFU;
    const Word rebias = magnitude < 0x7C00U ? all_lanes<Word>(kRebias) : all_lanes<Word>(2 * kRebias);
    const Word quiet = magnitude > 0x7C00U ? all_lanes<Word>(kQuiet) : all_lanes<Word>(0);
    const Word normal = ((magnitude << 13) + rebias) | quiet;
    // A subnormal is its fraction in units of 2^-24: put it into the last places of 2^-14 and take 2^-14
    // away.
    const Word subnormal =
        as_word(as_float<Word>(magnitude << 13 | kMinNormal) - as_float<Word>(all_lanes<Word>(kMinNormal)));
    const Word result = magnitude < 0x400U ? subnormal : normal;
    return as_float<Word>(result | (stored & 0x8000U) << 16);
  }

  template <class Word>
  [[gnu::always_inline]] static Word nearest(FloatOf<Word> value) {
    const Word magnitude = as_word(value) & ~bits::kSign;
    const Word normal = (magnitude - kRebias + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
    // Adding 0.5 leaves the last place at 2^-24, which is what the processor then rounds to.
    const Word subnormal = as_word(as_float<Word>(magnitude) + 0.5F) - as_word(0.5F);
    return finish<Word>(value, magnitude < kMinNormal ? subnormal : normal);
  }

  template <class Word>
  [[gnu::always_inline]] static Word stochastic(FloatOf<Word> value, Word random) {
    const FloatOf<Word> size = at_most(as_float<Word>(as_word(value) & ~bits::kSign), kLargestValue);
    const Word noisy = as_word(with_noise<Word>(size, random));
    const Word normal = (noisy - kRebias) >> 13;
    const Word small = smaller<Word>(noisy, all_lanes<Word>(kMinNormal - 1));
    const Word subnormal = truncate(as_float<Word>(small) * 0x1.0p24F);
    return finish<Word>(value, noisy < kMinNormal ? subnormal : normal);
  }

  // A magnitude of at most kLargestValue and 13 random bits below the last place of fp16: cut off there it is
  // rounded. NaN gives anything.
  //
  // Above 2^-14 a float has 13 bits more than an fp16, so that adding as many to its bits keeps the mean
  // exactly. Below, places are as wide as those of 2^-14: the noise is added to 2^-14, which is then taken
  // away. It ends at 2^-37, and what the value has there is rounded to 2^-38: so far the mean is kept.
  template <class Word>
  [[gnu::always_inline]] static FloatOf<Word> with_noise(FloatOf<Word> size, Word random) {
    const Word base = larger<Word>(as_word(size), all_lanes<Word>(kMinNormal));
    return as_float<Word>(base + (random >> 19)) + (size - as_float<Word>(base));
  }

 private:
  template <class Word>
  [[gnu::always_inline]] static Word finish(FloatOf<Word> value, Word rounded) {
    const Word magnitude = as_word(value) & ~bits::kSign;
    const Word finite =
        smaller<Word>(rounded, all_lanes<Word>(kLargest));  // infinity is beyond the largest too
    const Word result = magnitude > bits::kInfinity ? all_lanes<Word>(0x7E00) : finite;
    return result | (as_word(value) & bits::kSign) >> 16;
  }
};

struct Bf16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr std::uint32_t kLargest = 0x7F7F;

  template <class Word>
  [[gnu::always_inline]] static FloatOf<Word> decode(Word stored) {
    return as_float<Word>(stored << 16);
  }

  template <class Word>
  [[gnu::always_inline]] static Word nearest(FloatOf<Word> value) {
    return finish<Word>(as_word(value), (as_word(value) >> 16 & 1U) + 0x7FFFU);
  }

  template <class Word>
  [[gnu::always_inline]] static Word stochastic(FloatOf<Word> value, Word random) {
    return finish<Word>(as_word(value), random >> 16);
  }

 private:
  template <class Word>
  [[gnu::always_inline]] static Word finish(Word all, Word added) {
    const Word magnitude = all & ~bits::kSign;
    const Word finite = smaller<Word>((magnitude + added) >> 16, all_lanes<Word>(kLargest));
    const Word result = magnitude > bits::kInfinity ? all_lanes<Word>(0x7FC0) : finite;
    return result | (all & bits::kSign) >> 16;
  }
};

// Eight stored values and floats. Shape: (kLanes). Pre of stochastic: within the range of the type, or NaN.
template <class Value>
struct Eight {
  [[gnu::always_inline]] static Floats decode(const Halves& stored) {
    return Value::template decode<Words>(__builtin_convertvector(stored, Words));
  }
  [[gnu::always_inline]] static Halves nearest(const Floats& values) {
    return __builtin_convertvector(Value::template nearest<Words>(values), Halves);
  }
  [[gnu::always_inline]] static Halves stochastic(const Floats& values, const Words& random) {
    return __builtin_convertvector(Value::template stochastic<Words>(values, random), Halves);
  }
};

}  // namespace persia::table
