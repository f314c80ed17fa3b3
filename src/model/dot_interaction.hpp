// DLRM's interaction: dot products of all pairs of a sample's vectors.
//
// A sample has V vectors of `dim` values: `first` (one vector; may be absent, V is then one less) followed by
// those of `others`. With Z = T T^t, out is first, then the strictly lower triangle of Z by rows:
// Z(1,0), Z(2,0), Z(2,1), Z(3,0), ... Samples go in blocks through products of all their T, so that the
// scratch (full Z) stays in cache. Nothing is kept between calls but scratch.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "model/matrix.hpp"
#include "model/summary.hpp"

namespace persia::model {

template <class Real>
class DotInteraction {
 public:
  // Allocates nothing yet.
  DotInteraction(bool has_first, std::int32_t num_others, std::int32_t dim);

  // Shape: first (n, dim) or no columns, others (n, num_others * dim), out (n, out_width()).
  void forward(MatrixView<const Real> first, MatrixView<const Real> others, MatrixView<Real> out);
  // Overwrites d_first and d_others. Shapes as in forward.
  void backward(MatrixView<const Real> first, MatrixView<const Real> others, MatrixView<const Real> d_out,
                MatrixView<Real> d_first, MatrixView<Real> d_others);

  [[nodiscard]] std::int64_t out_width() const { return first_width_ + num_pairs_; }
  [[nodiscard]] LayerSummary summary() const;

 private:
  // T of the samples: others itself where there is no first vector, otherwise a copy with it in front.
  [[nodiscard]] MatrixView<const Real> joined(MatrixView<const Real> first, MatrixView<const Real> others);
  // Where Z(i, j) of pair p lies in a full Z: i * V + j. Made at the first call.
  [[nodiscard]] const std::int32_t* places();

  std::int32_t num_vectors_;
  std::int32_t dim_;
  std::int64_t first_width_;
  std::int64_t num_pairs_;
  Kokkos::View<std::int32_t*, Memory> places_;
  Buffer<Real> joined_{"persia::model::interacting_vectors"};
  Buffer<Real> square_{"persia::model::dot_products"};  // Z, or its gradient
  Buffer<Real> d_joined_{"persia::model::d_interacting_vectors"};
};

}  // namespace persia::model
