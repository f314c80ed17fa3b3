// First values of the uniform distribution, inlined into one function per instruction set by kernels_*.cpp
// only.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/hash.hpp"
#include "base/strong.hpp"
#include "table/lanes.hpp"

namespace persia::table {

// Isa as in probe_bodies.hpp.
template <class Isa>
struct Uniform {
  [[gnu::always_inline]] static void run(std::uint64_t key, float unit, std::int32_t dim, float* values) {
    constexpr std::int32_t kWords = 8;
    alignas(64) std::array<FeatureId, kWords> counters;
    alignas(64) std::array<std::uint64_t, kWords> words;
    for (std::int32_t begin = 0; begin < dim; begin += 2 * kWords) {
      for (std::int32_t i = 0; i < kWords; ++i)
        counters[i] = FeatureId(key + static_cast<std::uint64_t>(begin / 2 + i));
      Isa::hash(counters.data(), 0, words.data());
      for (std::int32_t half = 0; half < 2; ++half) {
        const std::int32_t at = begin + kLanes * half;
        Words random;
        std::memcpy(&random, words.data() + half * kWords / 2, sizeof random);
        if (at < dim) store(symmetric(random, unit), values + at, dim - at < kLanes ? dim - at : kLanes);
      }
    }
  }

 private:
  [[gnu::always_inline]] static Floats symmetric(const Words& random, float unit) {
    const Words odd = (random >> 8 << 1) + 1U - (1U << 24);
    return __builtin_convertvector(__builtin_bit_cast(Integers, odd), Floats) * unit;
  }
};

}  // namespace persia::table
