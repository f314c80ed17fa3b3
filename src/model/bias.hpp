// Passes over the output of a linear layer: bias, ReLU and its mask, column sums.
//
// Each is one pass over the matrix. Sums are taken over fixed blocks of rows and then over blocks in order,
// so their bits do not depend on the number of threads. Real: float or double.
#pragma once

#include "model/linear_product.hpp"
#include "model/matrix.hpp"

namespace persia::model {

template <class Real>
void fill(MatrixView<Real> matrix, Real value);

// y = activation(y + bias). Shape: bias (y.columns).
template <class Real>
void add_bias(Activation activation, const Real* bias, MatrixView<Real> y);

// The way back: d_y = 0 where the ReLU of y closed (none: d_y unchanged), then sums (columns) = column sums
// of d_y. `scratch` holds the partial sums.
template <class Real>
void mask_and_sum(Activation activation, MatrixView<const Real> y, MatrixView<Real> d_y,
                  Buffer<Real>& scratch, Real* sums);

}  // namespace persia::model
