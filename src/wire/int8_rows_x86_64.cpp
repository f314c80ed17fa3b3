#include <immintrin.h>

#include "wire/int8_rows.hpp"
#include "wire/int8_rows_portable.hpp"

namespace persia::wire {

namespace {

constexpr std::size_t kRowLanes = 8;

[[gnu::target("avx2")]] std::uint32_t largest_magnitude_by_eight(std::span<const float> values) {
  const __m256i without_sign = _mm256_set1_epi32(0x7FFFFFFF);
  __m256i largest = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + kRowLanes <= values.size(); i += kRowLanes) {
    const __m256i bits = _mm256_castps_si256(_mm256_loadu_ps(values.data() + i));
    largest = _mm256_max_epu32(largest, _mm256_and_si256(bits, without_sign));
  }
  __m128i four = _mm_max_epu32(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
  four = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0b01'00'11'10));
  four = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0b10'11'00'01));
  return std::max(static_cast<std::uint32_t>(_mm_cvtsi128_si32(four)), largest_magnitude(values.subspan(i)));
}

[[gnu::target("avx2")]] void to_rows_by_eight(std::span<const float> values, std::size_t dim,
                                              std::byte* bytes) {
  for (; !values.empty(); values = values.subspan(dim), bytes += kScaleBytes + dim) {
    const std::span<const float> row = values.first(dim);
    const float scale = scale_for(largest_magnitude_by_eight(row));
    store_scale(scale, bytes);
    std::byte* codes = bytes + kScaleBytes;
    if (scale != scale) {
      std::fill_n(codes, dim, std::byte{0});
      continue;
    }
    const float inverse = 1 / scale;
    const __m256 inverses = _mm256_set1_ps(inverse);
    std::size_t i = 0;
    for (; i + kRowLanes <= dim; i += kRowLanes) {
      const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(row.data() + i), inverses));
      const __m128i words =
          _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(codes + i), _mm_packs_epi16(words, words));
    }
    quantise(row.subspan(i), inverse, codes + i);
  }
}

[[gnu::target("avx2")]] void from_rows_by_eight(const std::byte* bytes, std::size_t dim,
                                                std::span<float> values) {
  for (; !values.empty(); values = values.subspan(dim), bytes += kScaleBytes + dim) {
    const std::byte* codes = bytes + kScaleBytes;
    const float scale = load_scale(bytes);
    const __m256 scales = _mm256_set1_ps(scale);
    std::size_t i = 0;
    for (; i + kRowLanes <= dim; i += kRowLanes) {
      const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
      const __m256 whole = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight));
      _mm256_storeu_ps(values.data() + i, _mm256_mul_ps(whole, scales));
    }
    restore(codes + i, scale, values.subspan(i, dim - i));
  }
}

const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;

}  // namespace

void to_int8_rows(std::span<const float> values, std::size_t dim, std::byte* bytes) {
  (has_avx2 ? to_rows_by_eight : to_int8_rows_portably)(values, dim, bytes);
}

void from_int8_rows(const std::byte* bytes, std::size_t dim, std::span<float> values) {
  (has_avx2 ? from_rows_by_eight : from_int8_rows_portably)(bytes, dim, values);
}

}  // namespace persia::wire
