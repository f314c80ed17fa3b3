// DLRM's interaction: dot products of all pairs of a sample's vectors.
//
// A sample has V vectors of `dim` values: `first` (one vector; may be absent, V is then one less) followed by
// those of `others`. With Z = T T^t, out is first, then the strictly lower triangle of Z by rows:
// Z(1,0), Z(2,0), Z(2,1), Z(3,0), ... Nothing is kept between calls.
#pragma once

#include <cstdint>

#include "model/matrix.hpp"
#include "model/summary.hpp"

namespace persia::model {

template <class Real>
class DotInteraction {
 public:
  DotInteraction(bool has_first, std::int32_t num_others, std::int32_t dim);

  // Shape: first (n, dim) or no columns, others (n, num_others * dim), out (n, out_width()).
  void forward(MatrixView<const Real> first, MatrixView<const Real> others, MatrixView<Real> out) const;
  // Overwrites d_first and d_others. Shapes as in forward.
  void backward(MatrixView<const Real> first, MatrixView<const Real> others, MatrixView<const Real> d_out,
                MatrixView<Real> d_first, MatrixView<Real> d_others) const;

  [[nodiscard]] std::int64_t out_width() const;
  [[nodiscard]] LayerSummary summary() const;

 private:
  [[nodiscard]] std::int64_t num_pairs() const { return std::int64_t{num_vectors_} * (num_vectors_ - 1) / 2; }

  std::int32_t num_firsts_;  // 0 or 1
  std::int32_t num_vectors_;
  std::int32_t dim_;
};

}  // namespace persia::model
