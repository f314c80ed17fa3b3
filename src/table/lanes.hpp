// Eight elements at a time, in the compiler's portable vectors: one AVX register, two SSE or NEON ones.
//
// The row loops are written with these instead of leaving it to the vectorizer, so every instruction set runs
// the same operations in the same order. Functions that have a scalar and a vector form are templates over
// Word: std::uint32_t or Words.
//
// How a vector is passed depends on the instruction set of caller and callee, so it is never passed by value
// to a function that might be called: all here are inlined at any optimisation level, and bits are
// reinterpreted by the builtin, since std::bit_cast is a function at -O0.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace persia::table {

inline constexpr std::int32_t kLanes = 8;

using Floats [[gnu::vector_size(32)]] = float;
using Words [[gnu::vector_size(32)]] = std::uint32_t;
using Halves [[gnu::vector_size(16)]] = std::uint16_t;
using Int8s [[gnu::vector_size(8)]] = std::int8_t;
using Integers [[gnu::vector_size(32)]] = std::int32_t;

template <class Word>
using FloatOf = std::conditional_t<std::is_same_v<Word, Words>, Floats, float>;

template <class Word>
[[gnu::always_inline]] inline FloatOf<Word> as_float(Word word) {
  return __builtin_bit_cast(FloatOf<Word>, word);
}
[[gnu::always_inline]] inline std::uint32_t as_word(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
[[gnu::always_inline]] inline Words as_word(Floats value) {
  return __builtin_bit_cast(Words, value);
}

// Towards zero. Pre: 0 <= value < 2^31.
[[gnu::always_inline]] inline std::uint32_t truncate(float value) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}
[[gnu::always_inline]] inline Words truncate(Floats value) {
  return __builtin_bit_cast(Words, __builtin_convertvector(value, Integers));
}

template <class Word>
[[gnu::always_inline]] inline Word all_lanes(std::uint32_t value) {
  return Word{} + value;
}
template <class Word>
[[gnu::always_inline]] inline Word smaller(Word a, Word b) {
  return a < b ? a : b;
}
template <class Word>
[[gnu::always_inline]] inline Word larger(Word a, Word b) {
  return a > b ? a : b;
}

// NaN stays NaN.
[[gnu::always_inline]] inline float at_most(float value, float limit) {
  return limit < value ? limit : value;
}
[[gnu::always_inline]] inline Floats at_most(Floats value, float limit) {
  const Floats most = Floats{} + limit;
  return most < value ? most : value;
}

// The first `size` of eight elements; the others are 0.
template <class Vector, class Element>
[[gnu::always_inline]] inline Vector load(const Element* from, std::int32_t size) {
  Vector result{};
  if (size == kLanes)
    std::memcpy(&result, from, sizeof result);
  else
    for (std::int32_t i = 0; i < size; ++i) result[i] = from[i];
  return result;
}
template <class Vector, class Element>
[[gnu::always_inline]] inline void store(const Vector& vector, Element* to, std::int32_t size) {
  if (size == kLanes)
    std::memcpy(to, &vector, sizeof vector);
  else
    for (std::int32_t i = 0; i < size; ++i) to[i] = vector[i];
}

// A dim that is a multiple of eight, and the one that most tables have, for loops without a rest or without
// a loop. Functions of a `dim` that are templates take these and std::int32_t.
struct WholeLanes {
  std::int32_t value;
  [[gnu::always_inline]] constexpr operator std::int32_t() const { return value; }
};
struct UsualDim {
  [[gnu::always_inline]] constexpr operator std::int32_t() const { return 2 * kLanes; }
};

// work(dim), with what can be known of it.
template <class Work>
[[gnu::always_inline]] inline auto for_dim(std::int32_t dim, const Work& work) {
  if (dim == UsualDim()) return work(UsualDim());
  if (dim % kLanes == 0) return work(WholeLanes{dim});
  return work(dim);
}

// Calls f(begin, size) for stretches of eight elements; the last may be shorter. Full ones have a constant
// size.
template <class Dim, class F>
[[gnu::always_inline]] inline void over_lanes(Dim dim, const F& f) {
  std::int32_t begin = 0;
  for (; begin + kLanes <= dim; begin += kLanes) f(begin, kLanes);
  if constexpr (std::is_same_v<Dim, std::int32_t>)
    if (begin < dim) f(begin, dim - begin);
}

[[gnu::always_inline]] inline Floats square_root(Floats value) {
  std::array<float, kLanes> lanes;
  std::memcpy(lanes.data(), &value, sizeof value);
  for (float& lane : lanes) lane = std::sqrt(lane);
  return __builtin_bit_cast(Floats, lanes);
}

// Limited to [-limit, limit]; NaN stays NaN.
[[gnu::always_inline]] inline Floats within(Floats value, float limit) {
  const Floats most = Floats{} + limit;
  const Floats raised = value < -most ? -most : value;
  return raised > most ? most : raised;
}

// numerator / denominator, 0 for a denominator of 0: without epsilon, what never had a gradient does not
// move.
[[gnu::always_inline]] inline Floats quotient(Floats numerator, Floats denominator) {
  return denominator > 0 ? numerator / denominator : Floats{};
}

}  // namespace persia::table
