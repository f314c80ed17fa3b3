// For backends without a fused product.
#include "model/linear_product.hpp"

namespace persia::model {

void linear_product(Activation activation, MatrixView<const float> x, const float* weight, const float* bias,
                    MatrixView<float> y) {
  linear_product_in_two_steps(activation, x, weight, bias, y);
}

}  // namespace persia::model
