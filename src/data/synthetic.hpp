// Samples made in memory by fixed formulas: the workload that speed is compared on, the same in any program
// that follows them. Sample i is a pure function of i and `shrink`.
//
// All integers are unsigned 64 bit with wrap-around; uniform(stream, c) = random_uniform(20240501, stream,
// c).
//   cardinality N_t of column t (0 .. 25): kCriteoCardinalities, or max(3, ceil(N_t / shrink)) for shrink > 1
//   rank:  u = uniform(1, 26 i + t), a = 1 - 1.05, x = (1 + u ((N_t + 1)^a - 1))^(1 / a),
//          rank = min(floor(x) - 1, N_t - 1)
//   id:    scatter(rank, N_t), a bijection on [0, N_t)
//   dense: z = sqrt(-2 ln(1 - uniform(2, c))) cos(2 pi uniform(3, c)), c = 13 i + j; value log1p(exp(z))
//   label: logit = -1.4 + sum_t 0.35 (2 uniform(4, id_t + (t << 40)) - 1)
//                  + sum_j 0.1 ((j mod 3) - 1) (dense_j - 0.8);   1 if uniform(5, i) < sigmoid(logit)
// Thread safety: const after construction.
#pragma once

#include <array>
#include <cstdint>

namespace persia::data {

inline constexpr std::size_t kSyntheticColumns = 26;
inline constexpr std::size_t kSyntheticDense = 13;

struct SyntheticSample {
  std::array<std::uint64_t, kSyntheticColumns> ids{};
  std::array<float, kSyntheticDense> dense{};
  float label = 0;
};

class SyntheticPool {
 public:
  explicit SyntheticPool(std::int64_t shrink);
  // Cost: about 2 microseconds.
  [[nodiscard]] SyntheticSample sample(std::int64_t i) const;
  [[nodiscard]] std::int64_t cardinality(std::size_t column) const;

 private:
  // What the formulas need of one column.
  struct Column {
    std::uint64_t cardinality = 0;
    double reach = 0;  // (N + 1)^a - 1
    std::uint64_t mask = 0;
    int shift = 0;
  };
  [[nodiscard]] static std::uint64_t scatter(std::uint64_t rank, const Column& column);

  std::array<Column, kSyntheticColumns> columns_;
};

}  // namespace persia::data
