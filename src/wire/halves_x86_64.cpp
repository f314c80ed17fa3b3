#include <immintrin.h>

#include "wire/halves.hpp"
#include "wire/halves_portable.hpp"

namespace persia::wire {

namespace {

constexpr std::size_t kLanes = 8;

// NaN becomes the one of halves_portable.hpp, whatever its bits were.
[[gnu::target("avx2,f16c")]] void to_halves_by_eight(std::span<const float> values, float factor,
                                                     std::byte* halves) {
  const __m256 factors = _mm256_set1_ps(factor);
  const __m256 quiet = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000));
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(values.data() + i), factors);
    const __m256 plain = _mm256_blendv_ps(scaled, quiet, _mm256_cmp_ps(scaled, scaled, _CMP_UNORD_Q));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves + 2 * i),
                     _mm256_cvtps_ph(plain, _MM_FROUND_TO_NEAREST_INT));
  }
  to_halves_portably(values.subspan(i), factor, halves + 2 * i);
}

[[gnu::target("avx2,f16c")]] void from_halves_by_eight(const std::byte* halves, float factor,
                                                       std::span<float> values) {
  const __m256 factors = _mm256_set1_ps(factor);
  const __m256 quiet = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000));
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    const __m256 plain = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + 2 * i)));
    const __m256 scaled = _mm256_mul_ps(plain, factors);
    _mm256_storeu_ps(values.data() + i,
                     _mm256_blendv_ps(scaled, quiet, _mm256_cmp_ps(plain, plain, _CMP_UNORD_Q)));
  }
  from_halves_portably(halves + 2 * i, factor, values.subspan(i));
}

const bool converts = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("f16c") != 0;

}  // namespace

void to_halves(std::span<const float> values, float factor, std::byte* halves) {
  (converts ? to_halves_by_eight : to_halves_portably)(values, factor, halves);
}

void from_halves(const std::byte* halves, float factor, std::span<float> values) {
  (converts ? from_halves_by_eight : from_halves_portably)(halves, factor, values);
}

}  // namespace persia::wire
