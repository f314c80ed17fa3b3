// The dense networks once more, in the plainest way: one sample at a time, loops over std::vector<double>.
// Shares no code with src/model, so that equal results mean something.
//
// Parameters lie in one vector in the product's order: each layer's weight (out, in), then its bias (out);
// lr: weight (1, num_dense), bias; dnn: layers in order; dlrm: bottom, then top.
#pragma once

#include <cstddef>
#include <vector>

#include "config/schema.hpp"

namespace persia::reference {

using Values = std::vector<double>;

struct Layer {
  std::size_t in = 0;
  std::size_t out = 0;
  bool relu = false;
  std::size_t offset = 0;  // of its weight in the parameters
};

// What the way back needs of the way forth, for one sample.
struct Trace {
  std::vector<Values> bottom;   // input and outputs of the bottom layers (dlrm)
  std::vector<Values> vectors;  // interacting vectors (dlrm)
  std::vector<Values> top;      // input and outputs of the top layers (dlrm) or of all layers (dnn, lr)
  double logit = 0;
};

class Network {
 public:
  Network(const config::Model& model, const config::Schema& schema);

  // Shape: dense (num_dense), embedded (embedded_width).
  [[nodiscard]] Trace forward(const Values& parameters, const Values& dense, const Values& embedded) const;
  // Adds to `gradients` and returns d loss / d embedded.
  [[nodiscard]] Values backward(const Values& parameters, const Trace& trace, double d_logit,
                                Values& gradients) const;
  [[nodiscard]] std::size_t num_parameters() const { return num_parameters_; }

 private:
  std::vector<Layer> chain(std::size_t in, const std::vector<std::int32_t>& hidden, std::size_t out,
                           bool relu_last);
  [[nodiscard]] Trace forward_lr(const Values& parameters, const Values& dense, const Values& embedded) const;
  [[nodiscard]] Trace forward_dnn(const Values& parameters, const Values& dense,
                                  const Values& embedded) const;
  [[nodiscard]] Trace forward_dlrm(const Values& parameters, const Values& dense,
                                   const Values& embedded) const;
  [[nodiscard]] Values backward_dlrm(const Values& parameters, const Trace& trace, const Values& d_top_input,
                                     Values& gradients) const;

  config::ModelType type_;
  std::size_t num_dense_;
  std::size_t embedded_width_;
  std::size_t dim_ = 0;  // dlrm
  std::size_t num_parameters_ = 0;
  std::vector<Layer> bottom_;
  std::vector<Layer> top_;
};

}  // namespace persia::reference
