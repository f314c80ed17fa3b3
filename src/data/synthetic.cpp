#include "data/synthetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace persia::data {

namespace {

constexpr std::array<std::int64_t, kSyntheticColumns> kCriteoCardinalities = {
    1460, 583,   10131227, 2202608, 305,  24,   12517, 633,     3,  93145, 5683,   8351593, 3194,
    27,   14992, 5461306,  10,      5652, 2173, 4,     7046547, 18, 15,    286181, 105,     142572};
constexpr double kExponent = 1.0 - 1.05;

// uniform(stream, counter) of the header with the stream's part computed once.
class Stream {
 public:
  constexpr explicit Stream(std::uint64_t number) : base_(mix64(20240501 + number)) {}
  [[nodiscard]] constexpr double uniform(std::uint64_t counter) const {
    return static_cast<double>(mix64(base_ + counter) >> 11) * 0x1.0p-53;
  }

 private:
  std::uint64_t base_;
};

constexpr Stream kRanks(1), kRadius(2), kAngle(3), kEffect(4), kLuck(5);

float dense_value(std::uint64_t counter) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - kRadius.uniform(counter)));
  const double normal = radius * std::cos(2.0 * std::numbers::pi * kAngle.uniform(counter));
  return static_cast<float>(std::log1p(std::exp(normal)));
}

float draw_label(const SyntheticSample& sample, std::uint64_t i) {
  double logit = -1.40;
  for (std::size_t t = 0; t < kSyntheticColumns; ++t)
    logit += 0.35 * (2.0 * kEffect.uniform(sample.ids[t] + (std::uint64_t{t} << 40)) - 1.0);
  for (std::size_t j = 0; j < kSyntheticDense; ++j)
    logit += 0.1 * (static_cast<double>(j % 3) - 1.0) * (double{sample.dense[j]} - 0.8);
  return kLuck.uniform(i) < 1.0 / (1.0 + std::exp(-logit)) ? 1.0F : 0.0F;
}

}  // namespace

SyntheticPool::SyntheticPool(std::int64_t shrink) {
  for (std::size_t t = 0; t < kSyntheticColumns; ++t) {
    const std::int64_t full = kCriteoCardinalities[t];
    const std::int64_t n = shrink > 1 ? std::max<std::int64_t>(3, (full + shrink - 1) / shrink) : full;
    const int bits = std::max<int>(2, std::bit_width(static_cast<std::uint64_t>(n - 1)));
    columns_[t] = {.cardinality = static_cast<std::uint64_t>(n),
                   .reach = std::pow(static_cast<double>(n) + 1.0, kExponent) - 1.0,
                   .mask = (std::uint64_t{1} << bits) - 1,
                   .shift = std::max(1, bits / 2)};
  }
}

std::int64_t SyntheticPool::cardinality(std::size_t column) const {
  return static_cast<std::int64_t>(columns_[column].cardinality);
}

// Multiply-and-xor rounds on the smallest power of two that holds N, until the value is inside again.
std::uint64_t SyntheticPool::scatter(std::uint64_t rank, const Column& column) {
  std::uint64_t x = rank;
  do {
    x = (x * 0x9E3779B97F4A7C15ULL) & column.mask;
    x ^= x >> column.shift;
    x = (x * 0xD6E8FEB86659FD93ULL) & column.mask;
    x ^= x >> column.shift;
  } while (x >= column.cardinality);
  return x;
}

SyntheticSample SyntheticPool::sample(std::int64_t i) const {
  const auto number = static_cast<std::uint64_t>(i);
  SyntheticSample sample;
  for (std::size_t t = 0; t < kSyntheticColumns; ++t) {
    const Column& column = columns_[t];
    const double u = kRanks.uniform(number * kSyntheticColumns + t);
    const double x = std::pow(1.0 + u * column.reach, 1.0 / kExponent);
    sample.ids[t] = scatter(std::min(static_cast<std::uint64_t>(x) - 1, column.cardinality - 1), column);
  }
  for (std::size_t j = 0; j < kSyntheticDense; ++j)
    sample.dense[j] = dense_value(number * kSyntheticDense + j);
  sample.label = draw_label(sample, number);
  return sample;
}

}  // namespace persia::data
