// The matrix products of one training step and nothing else: the bound on a network's speed that
// `persia bench dense` compares with. Same shapes, same library, operands of its own in the network's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace persia::model {

struct ProductShape {  // of one linear layer
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t d_in = 0;  // columns of the input that need a gradient
};

class PlainProducts {
 public:
  PlainProducts(const std::vector<ProductShape>& layers, std::int64_t num_samples);
  ~PlainProducts();
  PlainProducts(const PlainProducts&) = delete;
  PlainProducts& operator=(const PlainProducts&) = delete;
  PlainProducts(PlainProducts&&) = delete;
  PlainProducts& operator=(PlainProducts&&) = delete;
  // Forward products in order, then weight and input gradients in reverse order. Returns when all are done.
  void run();

 private:
  struct Operands;  // keeps Kokkos's headers out of callers
  std::unique_ptr<Operands> operands_;
};

}  // namespace persia::model
