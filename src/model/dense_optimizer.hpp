// Optimizers of the dense network over the flat parameter buffer. Same names, arguments and formulas as
// table/.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"

namespace persia::model {

class DenseOptimizer {
 public:
  virtual ~DenseOptimizer() = default;
  // One update: parameters -= f(gradients * gradient_scale), at the learning rate of `step`, a step of the
  // training. Shapes equal.
  virtual void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale,
                     Step step) = 0;
  // Everything that must be saved to continue bit-identically, by name; spans are writable for loading.
  struct State {
    std::string name;
    std::span<float> values;
  };
  [[nodiscard]] virtual std::vector<State> state() = 0;
  // Updates so far: fewer than the training's steps where a trainer had none of a batch's rows.
  [[nodiscard]] virtual std::int64_t steps() const = 0;
  virtual void set_steps(std::int64_t steps) = 0;
};

[[nodiscard]] std::unique_ptr<DenseOptimizer> make_dense_optimizer(const config::Optimizer& options,
                                                                   std::int64_t num_parameters);

}  // namespace persia::model
