#include "model/mlp.hpp"

#include <fmt/format.h>

namespace persia::model {

template <class Real>
Mlp<Real>::Mlp(const std::string& name, std::int64_t in, const std::vector<std::int64_t>& widths,
               Activation last, ParameterPlan& plan) {
  for (std::size_t layer = 0; layer < widths.size(); ++layer) {
    const bool is_last = layer + 1 == widths.size();
    const LinearShape shape{in, widths[layer], is_last ? last : Activation::relu};
    layers_.emplace_back(fmt::format("{}.{}", name, layer), shape, FirstValues::uniform, plan);
    if (!is_last) outputs_.emplace_back("persia::model::activations");
    in = widths[layer];
  }
  gradients_.assign(2, Buffer<Real>("persia::model::activation_gradients"));
}

template <class Real>
MatrixView<Real> Mlp<Real>::output(std::size_t layer, std::int64_t rows) {
  return outputs_[layer].matrix(rows, layers_[layer].shape().out);
}

template <class Real>
void Mlp<Real>::forward(const Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<Real> y) {
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const MatrixView<Real> out = layer < outputs_.size() ? output(layer, x.rows) : y;
    layers_[layer].forward(parameters, x, out);
    x = out;
  }
}

template <class Real>
void Mlp<Real>::backward(Parameters<Real>& parameters, MatrixView<const Real> x, MatrixView<const Real> y,
                         MatrixView<Real> d_y, MatrixView<Real> d_x) {
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    const MatrixView<const Real> in = layer > 0 ? output(layer - 1, x.rows) : x;
    const MatrixView<Real> d_in = layer > 0 ? gradients_[layer % 2].matrix(x.rows, in.columns) : d_x;
    layers_[layer].backward(parameters, in, y, d_y, d_in, scratch_);
    y = in;
    d_y = d_in;
  }
}

template <class Real>
void Mlp<Real>::summarize(std::vector<LayerSummary>& layers) const {
  for (const Linear<Real>& layer : layers_) layers.push_back(layer.summary());
}

template class Mlp<float>;
template class Mlp<double>;

}  // namespace persia::model
