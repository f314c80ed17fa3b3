// Two matrices side by side: the input of a network that takes embeddings and dense columns alike. The way
// back needs no code: a layer writes the gradient of the first columns only (Linear::backward).
#pragma once

#include "model/matrix.hpp"

namespace persia::model {

// out (n, l + r) = [left (n, l), right (n, r)].
template <class Real>
void concat(MatrixView<const Real> left, MatrixView<const Real> right, MatrixView<Real> out);

}  // namespace persia::model
