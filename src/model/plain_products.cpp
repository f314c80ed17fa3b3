#include "model/plain_products.hpp"

#include "model/bias.hpp"
#include "model/gemm.hpp"
#include "model/matrix.hpp"

namespace persia::model {

struct PlainProducts::Operands {
  struct Layer {
    ProductShape shape;
    MatrixView<float> x, y, weight, d_x, d_weight;
  };

  std::vector<Buffer<float>> memory;
  std::vector<Layer> layers;
};

PlainProducts::PlainProducts(const std::vector<ProductShape>& layers, std::int64_t num_samples)
    : operands_(std::make_unique<Operands>()) {
  const auto operand = [&](std::int64_t rows, std::int64_t columns) {
    const MatrixView<float> matrix =
        operands_->memory.emplace_back("persia::model::operand").matrix(rows, columns);
    fill(matrix, 0.01F);
    return matrix;
  };
  for (const ProductShape& shape : layers) {
    operands_->layers.push_back({.shape = shape,
                                 .x = operand(num_samples, shape.in),
                                 .y = operand(num_samples, shape.out),
                                 .weight = operand(shape.out, shape.in),
                                 .d_x = operand(num_samples, shape.d_in),
                                 .d_weight = operand(shape.out, shape.in)});
  }
}

PlainProducts::~PlainProducts() = default;

void PlainProducts::run() {
  const std::vector<Operands::Layer>& layers = operands_->layers;
  for (const Operands::Layer& layer : layers) {
    const auto [in, out, d_in] = layer.shape;
    gemm(Op::plain, Op::transposed, layer.x.rows, out, in, layer.x.data, in, layer.weight.data, in, 0.0F,
         layer.y.data, out);
  }
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
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
