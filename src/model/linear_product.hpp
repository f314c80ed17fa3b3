// The forward product of a linear layer with its bias and activation, fused where the library can: the output
// is then written once instead of twice.
//
// float on CPU: one oneDNN primitive per shape, kept (linear_product_onednn.cpp). float on GPU
// (linear_product_plain.cpp) and double:
// the two steps of linear_product_steps.cpp. Callers: linear.cpp.
#pragma once

#include <cstdint>

#include "model/matrix.hpp"

namespace persia::model {

enum class Activation { none, relu };

// Y (n, out) = activation(X (n, in) * W (out, in)^T + bias (out)). Any extent may be 0.
void linear_product(Activation activation, MatrixView<const float> x, const float* weight, const float* bias,
                    MatrixView<float> y);
void linear_product(Activation activation, MatrixView<const double> x, const double* weight,
                    const double* bias, MatrixView<double> y);

// gemm, then bias and activation in one pass: the two steps that the fused form replaces.
template <class Real>
void linear_product_in_two_steps(Activation activation, MatrixView<const Real> x, const Real* weight,
                                 const Real* bias, MatrixView<Real> y);

}  // namespace persia::model
