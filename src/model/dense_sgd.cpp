// w -= lr (g + decay w).
#include "model/dense_optimizer_kinds.hpp"

namespace persia::model {
namespace {

struct SgdUpdate {
  float learning_rate, weight_decay, gradient_scale;
  float* w;
  const float* gradient;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    w[i] -= learning_rate * (gradient[i] * gradient_scale + weight_decay * w[i]);
  }
};

class DenseSgd final : public CountedOptimizer {
 public:
  explicit DenseSgd(const config::Optimizer& options) : CountedOptimizer(options) {}

  void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale,
             Step step) override {
    count_step();
    update_each("persia::model::dense_sgd", parameters, gradients,
                SgdUpdate{rate_at(step), static_cast<float>(options().weight_decay), gradient_scale,
                          parameters.data(), gradients.data()});
  }

  [[nodiscard]] std::vector<State> state() override { return {}; }
};

}  // namespace

std::unique_ptr<DenseOptimizer> make_dense_sgd(const config::Optimizer& options) {
  return std::make_unique<DenseSgd>(options);
}

}  // namespace persia::model
