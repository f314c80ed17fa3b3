// The matrix products of one training step and nothing else: the bound on a network's speed that
// `persia bench dense` compares with. Same shapes, same library, operands of its own in the network's memory.
#pragma once

#include <cstdint>
#include <vector>

#include "model/matrix.hpp"

namespace persia::model {

struct ProductShape {  // of one linear layer
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t d_in = 0;  // columns of the input that need a gradient
};

class PlainProducts {
 public:
  PlainProducts(const std::vector<ProductShape>& layers, std::int64_t num_samples);
  // Forward products in order, then weight and input gradients in reverse order. Returns when all are done.
  void run();

 private:
  struct Layer {
    ProductShape shape;
    MatrixView<float> x, y, weight, d_x, d_weight;
  };

  std::vector<Buffer<float>> memory_;
  std::vector<Layer> layers_;
};

}  // namespace persia::model
