#include "model/bias.hpp"
#include "model/gemm.hpp"
#include "model/linear_product.hpp"

namespace persia::model {

template <class Real>
void linear_product_in_two_steps(Activation activation, MatrixView<const Real> x, const Real* weight,
                                 const Real* bias, MatrixView<Real> y) {
  if (x.columns == 0) {
    fill(y, Real{0});
  } else {
    gemm(Op::plain, Op::transposed, y.rows, y.columns, x.columns, x.data, x.stride, weight, x.columns,
         Real{0}, y.data, y.stride);
  }
  add_bias(activation, bias, y);
}

template void linear_product_in_two_steps(Activation, MatrixView<const float>, const float*, const float*,
                                          MatrixView<float>);
template void linear_product_in_two_steps(Activation, MatrixView<const double>, const double*, const double*,
                                          MatrixView<double>);

void linear_product(Activation activation, MatrixView<const double> x, const double* weight,
                    const double* bias, MatrixView<double> y) {
  linear_product_in_two_steps(activation, x, weight, bias, y);
}

}  // namespace persia::model
