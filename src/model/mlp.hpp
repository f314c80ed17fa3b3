// Linear layers one after the other with ReLU between them. Keeps the activations of the last forward.
//
// Blocks are named "<name>.0.weight", "<name>.0.bias", "<name>.1.weight", ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/linear.hpp"

namespace persia::model {

template <class Real>
class Mlp {
 public:
  // `widths` of the layers' outputs, at least one. `last` is the activation after the last layer.
  Mlp(const std::string& name, std::int64_t in, const std::vector<std::int64_t>& widths, Activation last,
      ParameterPlan& plan);

  // Shape: x (n, in), y (n, widths.back()).
  void forward(const Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<Real> y);

  // As Linear::backward, for all layers. Pre: forward of the same x and y came before.
  void backward(Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<const Real> y,
                MatrixView<Real> d_y, MatrixView<Real> d_x);

  void summarize(std::vector<LayerSummary>& layers) const;

 private:
  [[nodiscard]] MatrixView<Real> output(std::size_t layer, std::int64_t rows);

  std::vector<Linear<Real>> layers_;
  std::vector<Buffer<Real>> outputs_;    // of all layers but the last
  std::vector<Buffer<Real>> gradients_;  // two that take turns
  Buffer<Real> scratch_{"persia::model::partial_sums"};
};

}  // namespace persia::model
