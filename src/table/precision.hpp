// Values as stored: fp32, fp16 (IEEE binary16) and bf16, to and from float.
//
// decode() is exact for every pattern. nearest() rounds to the nearest, ties to even. stochastic() rounds up
// with the probability that keeps the mean, given 32 random bits; a value that is representable stays as it
// is. Finite and infinite values beyond the range become the largest finite ones of the type, NaN stays NaN.
// Arithmetic on the bits, for one value (Word = std::uint32_t) or eight (Words), the same result on every
// machine. Pure functions.
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
  static constexpr std::uint32_t kRebias = 112U << 23;

  template <class Word>
  [[gnu::always_inline]] static FloatOf<Word> decode(Word stored) {
    const Word magnitude = stored & 0x7FFFU;
    const Word rebias = magnitude < 0x7C00U ? all_lanes<Word>(kRebias) : all_lanes<Word>(2 * kRebias);
    const Word normal = (magnitude << 13) + rebias;
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
    const Word magnitude = as_word(value) & ~bits::kSign;
    const Word normal = (magnitude - kRebias + (random & 0x1FFFU)) >> 13;
    // In units of 2^-45, 21 places below the last one of a subnormal; larger values are not looked at.
    const Word small = smaller<Word>(magnitude, all_lanes<Word>(kMinNormal - 1));
    const Word subnormal = (truncate(as_float<Word>(small) * 0x1.0p45F) + (random & 0x1FFFFFU)) >> 21;
    return finish<Word>(value, magnitude < kMinNormal ? subnormal : normal);
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
    return finish<Word>(as_word(value), random & 0xFFFFU);
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

}  // namespace persia::table
