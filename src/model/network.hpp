// A dense network: forward, backward, flat parameters and gradients. One per trainer.
//
// Inputs and outputs are host arrays; on GPU builds the network stages them itself. Parameters and gradients
// live in one flat fp32 buffer each, in layer order, in the memory in which the network runs (memory.hpp
// copies), so that all-reduce, checkpoint and optimizer see slices of it. Thread safety: the compute thread
// alone calls it (it owns Kokkos, sys/kokkos_session.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"

namespace persia::model {

// One trainer's samples as the network sees them. Row-major.
struct Input {
  std::int32_t num_samples = 0;
  std::span<const float> dense;     // (n, num_dense)
  std::span<const float> embedded;  // (n, embedded_width), columns in schema order
};

struct ParameterBlock {  // one tensor of the flat buffer
  std::string name;      // "bottom.0.weight"
  std::vector<std::int64_t> shape;
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  // Shape: logits (n).
  virtual void forward(const Input& input, std::span<float> logits) = 0;
  // After forward of the same input, whose arrays must have stayed where and as they were. Overwrites
  // gradients() with the SUM over samples of d loss / d parameter given d loss / d logit, and fills
  // d_embedded (n, embedded_width).
  virtual void backward(const Input& input, std::span<const float> d_logits, std::span<float> d_embedded) = 0;
  [[nodiscard]] virtual std::span<float> parameters() = 0;
  [[nodiscard]] virtual std::span<float> gradients() = 0;
  [[nodiscard]] virtual const std::vector<ParameterBlock>& blocks() const = 0;
  [[nodiscard]] virtual std::int64_t multiply_adds_per_sample() const = 0;  // forward, linear layers
};

// First parameters are a pure function of `seed` (U(-1/sqrt(in), 1/sqrt(in)) for weights and biases of linear
// layers; lr starts at 0). UserError if the shapes do not fit the model (dlrm: all dims equal, at least one
// categorical column ...), or if the network is larger than this machine's memory.
[[nodiscard]] std::unique_ptr<Network> make_network(const config::Model& model, const config::Schema& schema,
                                                    std::uint64_t seed);

// The layers with shapes, parameters and multiply-adds, for `persia train --check`.
[[nodiscard]] std::string describe_network(const config::Model& model, const config::Schema& schema);

// Mean-free binary cross entropy from logits: d_logits[i] = sigmoid(logits[i]) - labels[i]; returns the sum
// of losses.
[[nodiscard]] double binary_cross_entropy(std::span<const float> logits, std::span<const float> labels,
                                          std::span<float> d_logits);

}  // namespace persia::model
