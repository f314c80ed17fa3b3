// Linear layer Y = activation(X W^T + b). Stateless between calls: its parameters are two blocks of the flat
// buffer ("<name>.weight" (out, in), "<name>.bias" (out)), its inputs and outputs belong to the caller.
//
// Real: float for training, double for gradient checks. Any extent but `out` may be 0.
#pragma once

#include <cstdint>
#include <string>

#include "model/linear_product.hpp"
#include "model/matrix.hpp"
#include "model/parameters.hpp"
#include "model/summary.hpp"

namespace persia::model {

struct LinearShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
  Activation activation = Activation::none;
};

enum class FirstValues { uniform, zero };  // uniform: (-1/sqrt(in), 1/sqrt(in)) for weight and bias

template <class Real>
class Linear {
 public:
  Linear(const std::string& name, LinearShape shape, FirstValues first_values, ParameterPlan& plan);

  // Shape: x (n, in), y (n, out).
  void forward(const Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<Real> y) const;

  // Pre: x, y as in forward. Overwrites this layer's gradients (sums over samples) and the first
  // d_x.columns columns of d loss / d x; d_x may have no columns at all. d_y is masked in place by the ReLU.
  void backward(Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<const Real> y,
                MatrixView<Real> d_y, MatrixView<Real> d_x, Buffer<Real>& scratch) const;

  [[nodiscard]] const LinearShape& shape() const { return shape_; }
  [[nodiscard]] LayerSummary summary() const;

 private:
  std::string name_;
  LinearShape shape_;
  std::int64_t weight_ = 0;  // offsets in the flat buffers
  std::int64_t bias_ = 0;
};

}  // namespace persia::model
