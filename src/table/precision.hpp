// Values as stored: fp32, fp16 (IEEE binary16), bf16, and int8 with a scale for each row, to and from float.
//
// decode() is exact for every pattern. nearest() rounds to the nearest, ties to even. stochastic() rounds
// away from zero with the probability that keeps the mean, given 32 random bits of which it takes the upper
// ones; a value that is representable stays as it is. Finite and infinite values beyond the range, or for
// stochastic() beyond a limit that is a finite number of the type, become the largest ones within it; NaN
// becomes the NaN without a sign. Arithmetic on the bits, for one value (Word =
// std::uint32_t) or eight (Words), the same result on every machine. Pure functions.
//
// Eight<Value> is what the row loops use for 16 bits: a processor that converts by itself has its own
// (kernels_x86_64.cpp).
//
// Int8 is another kind: a row's values are whole numbers of -127 to 127 times the row's scale, the smallest
// power of two that is large enough. So a scale that shrinks changes no value, one that grows only every
// other one, and values that an update does not move stay as they are, as they do in the other types.
#pragma once

#include <cstdint>

#include "table/lanes.hpp"

namespace persia::table {

struct Fp32 {
  using Stored = float;
  static constexpr bool rounds = false;
  static constexpr bool has_scale = false;
};

namespace bits {
inline constexpr std::uint32_t kSign = 0x80000000U;
inline constexpr std::uint32_t kInfinity = 0x7F800000U;
}  // namespace bits

struct Fp16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr bool has_scale = false;
  static constexpr std::uint32_t kMinNormal = 113U << 23;  // 2^-14 as float
  static constexpr std::uint32_t kLargest = 0x7BFF;        // 65504
  static constexpr float kLargestValue = 65504;
  static constexpr std::uint32_t kNan = 0x7E00;
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
  [[gnu::always_inline]] static Word stochastic(FloatOf<Word> value, float limit, Word random) {
    const FloatOf<Word> size = at_most(as_float<Word>(as_word(value) & ~bits::kSign), limit);
    const Word noisy = as_word(with_noise<Word>(size, random));
    const Word normal = (noisy - kRebias) >> 13;
    const Word small = smaller<Word>(noisy, all_lanes<Word>(kMinNormal - 1));
    const Word subnormal = truncate(as_float<Word>(small) * 0x1.0p24F);
    return finish<Word>(value, noisy < kMinNormal ? subnormal : normal);
  }

  // A magnitude within the range and 13 random bits below the last place of fp16: cut off there it is
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
    const Word result = finite | (as_word(value) & bits::kSign) >> 16;
    return magnitude > bits::kInfinity ? all_lanes<Word>(kNan) : result;
  }
};

struct Bf16 {
  using Stored = std::uint16_t;
  static constexpr bool rounds = true;
  static constexpr bool has_scale = false;
  static constexpr std::uint32_t kLargest = 0x7F7F;
  static constexpr float kLargestValue = 0x1.FEp127F;

  template <class Word>
  [[gnu::always_inline]] static FloatOf<Word> decode(Word stored) {
    return as_float<Word>(stored << 16);
  }

  template <class Word>
  [[gnu::always_inline]] static Word nearest(FloatOf<Word> value) {
    const Word magnitude = as_word(value) & ~bits::kSign;
    const Word rounded = (magnitude + (magnitude >> 16 & 1U) + 0x7FFFU) >> 16;
    return finish<Word>(as_word(value), smaller<Word>(rounded, all_lanes<Word>(kLargest)));
  }

  template <class Word>
  [[gnu::always_inline]] static Word stochastic(FloatOf<Word> value, float limit, Word random) {
    const FloatOf<Word> size = at_most(as_float<Word>(as_word(value) & ~bits::kSign), limit);
    return finish<Word>(as_word(value), (as_word(size) + (random >> 16)) >> 16);
  }

 private:
  template <class Word>
  [[gnu::always_inline]] static Word finish(Word all, Word rounded) {
    const Word result = rounded | (all & bits::kSign) >> 16;
    return (all & ~bits::kSign) > bits::kInfinity ? all_lanes<Word>(0x7FC0) : result;
  }
};

struct Int8 {
  using Stored = std::int8_t;
  static constexpr bool rounds = true;
  static constexpr bool has_scale = true;
  static constexpr float kLargest = 127;

  // Of a row whose largest magnitude has these bits; finite and above 2^-121. Beyond 127 * 2^120 values
  // become that.
  [[gnu::always_inline]] static float scale_for(std::uint32_t largest) {
    constexpr std::uint32_t largest_fraction = 0x7E0000;  // of 127 / 64
    const std::uint32_t exponent = (largest >> 23) + ((largest & 0x7FFFFFU) > largest_fraction ? 1 : 0);
    const std::uint32_t scale = smaller<std::uint32_t>(larger<std::uint32_t>(exponent, 13), 253) - 6;
    return as_float<std::uint32_t>(scale << 23);
  }

  [[gnu::always_inline]] static Floats decode(const Int8s& stored, float scale) {
    return __builtin_convertvector(__builtin_convertvector(stored, Integers), Floats) * scale;
  }

  // To nearest, ties to even. NaN becomes 0.
  [[gnu::always_inline]] static Int8s nearest(const Floats& values, float scale) {
    constexpr float whole = 0x1.8p23F;  // floats have no places below 1 there
    return stored((ratio(values, scale, kLargest) + whole) - whole);
  }

  // Up with the probability that keeps the mean, to 2^-17 of the scale; never beyond `limit`, a whole number
  // of at most 127. NaN becomes 0. Of each random word the upper half counts.
  [[gnu::always_inline]] static Int8s stochastic(const Floats& values, const Words& random, float scale,
                                                 float limit) {
    // The middles of 2^16 parts of 1: added to a whole number of up to 127 they are exact and stay below the
    // next one.
    const Words part = (random >> 16 << 1) + 1U;
    const Floats noise = __builtin_convertvector(__builtin_bit_cast(Integers, part), Floats) * 0x1p-17F;
    const Floats noisy = ratio(values, scale, limit) + noise;
    const Floats towards_zero = __builtin_convertvector(__builtin_convertvector(noisy, Integers), Floats);
    return stored(towards_zero > noisy ? towards_zero - 1 : towards_zero);
  }

 private:
  [[gnu::always_inline]] static Floats ratio(const Floats& values, float scale, float limit) {
    const Floats finite = values == values ? values : Floats{};
    return within(finite * (1 / scale), limit);  // exact: the scale is a power of two
  }
  [[gnu::always_inline]] static Int8s stored(const Floats& whole) {
    return __builtin_convertvector(__builtin_convertvector(whole, Integers), Int8s);
  }
};

// Eight stored values and floats. Shape: (kLanes).
template <class Value>
struct Eight {
  [[gnu::always_inline]] static Floats decode(const Halves& stored) {
    return Value::template decode<Words>(__builtin_convertvector(stored, Words));
  }
  [[gnu::always_inline]] static Halves nearest(const Floats& values) {
    return __builtin_convertvector(Value::template nearest<Words>(values), Halves);
  }
  [[gnu::always_inline]] static Halves stochastic(const Floats& values, float limit, const Words& random) {
    return __builtin_convertvector(Value::template stochastic<Words>(values, limit, random), Halves);
  }
};

}  // namespace persia::table
