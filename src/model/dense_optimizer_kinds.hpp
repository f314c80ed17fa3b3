// The dense optimizers by name; each in its own file. Shared: their arguments, and they count their steps.
#pragma once

#include <memory>

#include "base/error.hpp"
#include "config/learning_rate.hpp"
#include "model/dense_optimizer.hpp"
#include "model/matrix.hpp"

namespace persia::model {

[[nodiscard]] std::unique_ptr<DenseOptimizer> make_dense_sgd(const config::Optimizer& options);
[[nodiscard]] std::unique_ptr<DenseOptimizer> make_dense_momentum(const config::Optimizer& options,
                                                                  std::int64_t num_parameters);
[[nodiscard]] std::unique_ptr<DenseOptimizer> make_dense_adagrad(const config::Optimizer& options,
                                                                 std::int64_t num_parameters);
[[nodiscard]] std::unique_ptr<DenseOptimizer> make_dense_adam(const config::Optimizer& options,
                                                              std::int64_t num_parameters);

// State of one value per parameter, all equal at first, in the network's memory.
class StateBuffer {
 public:
  StateBuffer(const std::string& name, std::int64_t size, float value)
      : name_(name), values_("persia::model::optimizer_" + name, static_cast<std::size_t>(size)) {
    Kokkos::deep_copy(values_, value);
  }
  [[nodiscard]] float* data() const { return values_.data(); }
  [[nodiscard]] DenseOptimizer::State state() const { return {name_, {values_.data(), values_.size()}}; }

 private:
  std::string name_;
  Kokkos::View<float*, Memory> values_;
};

// Checks the shapes and runs `update(i)` for every parameter. Returns when all are done.
template <class Update>
void update_each(const char* label, std::span<float> parameters, std::span<const float> gradients,
                 const Update& update) {
  expects(parameters.size() == gradients.size(), "one gradient per parameter");
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(0, static_cast<std::int64_t>(parameters.size())),
                       update);
  Kokkos::fence("persia::model::optimizer step is complete");
}

class CountedOptimizer : public DenseOptimizer {
 public:
  explicit CountedOptimizer(const config::Optimizer& options) : options_(options) {}
  [[nodiscard]] std::int64_t steps() const final { return steps_; }
  void set_steps(std::int64_t steps) final { steps_ = steps; }

 protected:
  std::int64_t count_step() { return ++steps_; }
  [[nodiscard]] const config::Optimizer& options() const { return options_; }
  [[nodiscard]] float rate_at(Step step) const { return static_cast<float>(config::rate_at(options_, step)); }

 private:
  config::Optimizer options_;
  std::int64_t steps_ = 0;
};

}  // namespace persia::model
