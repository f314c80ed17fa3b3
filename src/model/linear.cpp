#include "model/linear.hpp"

#include <cmath>

#include "model/bias.hpp"
#include "model/gemm.hpp"

namespace persia::model {

template <class Real>
Linear<Real>::Linear(const std::string& name, LinearShape shape, FirstValues first_values,
                     ParameterPlan& plan)
    : name_(name), shape_(shape) {
  const bool uniform = first_values == FirstValues::uniform && shape.in > 0;
  const double bound = uniform ? 1.0 / std::sqrt(static_cast<double>(shape.in)) : 0.0;
  weight_ = plan.add(name + ".weight", {shape.out, shape.in}, bound);
  bias_ = plan.add(name + ".bias", {shape.out}, bound);
}

template <class Real>
void Linear<Real>::forward(const Parameters<Real>& parameters, MatrixView<const Real> x,
                           MatrixView<Real> y) const {
  const Real* values = parameters.values.data();
  linear_product(shape_.activation, x, values + weight_, values + bias_, y);
}

template <class Real>
void Linear<Real>::backward(Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<const Real> y,
                            MatrixView<Real> d_y, MatrixView<Real> d_x, Buffer<Real>& scratch) const {
  const auto [in, out, activation] = shape_;
  Real* gradients = parameters.gradients.data();
  mask_and_sum(activation, y, d_y, scratch, gradients + bias_);
  if (d_y.rows == 0) {
    fill(dense_matrix(gradients + weight_, out, in), Real{0});
    return;
  }
  gemm(Op::transposed, Op::plain, out, in, d_y.rows, d_y.data, d_y.stride, x.data, x.stride, Real{0},
       gradients + weight_, in);
  gemm(Op::plain, Op::plain, d_y.rows, d_x.columns, out, d_y.data, d_y.stride,
       parameters.values.data() + weight_, in, Real{0}, d_x.data, d_x.stride);
}

template <class Real>
LayerSummary Linear<Real>::summary() const {
  return {.name = name_,
          .kind = shape_.activation == Activation::relu ? "linear + relu" : "linear",
          .in = shape_.in,
          .out = shape_.out,
          .parameters = (shape_.in + 1) * shape_.out,
          .multiply_adds = shape_.in * shape_.out,
          .is_linear = true};
}

template class Linear<float>;
template class Linear<double>;

}  // namespace persia::model
