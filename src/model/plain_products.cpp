#include "model/plain_products.hpp"

#include "model/bias.hpp"
#include "model/gemm.hpp"

namespace persia::model {

PlainProducts::PlainProducts(const std::vector<ProductShape>& layers, std::int64_t num_samples) {
  const auto operand = [&](std::int64_t rows, std::int64_t columns) {
    const MatrixView<float> matrix = memory_.emplace_back("persia::model::operand").matrix(rows, columns);
    fill(matrix, 0.01F);
    return matrix;
  };
  for (const ProductShape& shape : layers) {
    layers_.push_back({.shape = shape,
                       .x = operand(num_samples, shape.in),
                       .y = operand(num_samples, shape.out),
                       .weight = operand(shape.out, shape.in),
                       .d_x = operand(num_samples, shape.d_in),
                       .d_weight = operand(shape.out, shape.in)});
  }
}

void PlainProducts::run() {
  for (const Layer& layer : layers_) {
    const auto [in, out, d_in] = layer.shape;
    gemm(Op::plain, Op::transposed, layer.x.rows, out, in, layer.x.data, in, layer.weight.data, in, 0.0F,
         layer.y.data, out);
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const auto [in, out, d_in] = layer->shape;
    const std::int64_t n = layer->x.rows;
    gemm(Op::transposed, Op::plain, out, in, n, layer->y.data, out, layer->x.data, in, 0.0F,
         layer->d_weight.data, in);
    gemm(Op::plain, Op::plain, n, d_in, out, layer->y.data, out, layer->weight.data, in, 0.0F,
         layer->d_x.data, d_in);
  }
  Kokkos::fence("persia::model::products are complete");
}

}  // namespace persia::model
