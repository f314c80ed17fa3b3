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
  explicit DenseSgd(const config::Optimizer& options) : options_(options) {}

  void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale) override {
    count_step();
    update_each(
        "persia::model::dense_sgd", parameters, gradients,
        SgdUpdate{static_cast<float>(options_.learning_rate), static_cast<float>(options_.weight_decay),
                  gradient_scale, parameters.data(), gradients.data()});
  }

  [[nodiscard]] std::vector<State> state() override { return {}; }

 private:
  config::Optimizer options_;
};

}  // namespace

std::unique_ptr<DenseOptimizer> make_dense_sgd(const config::Optimizer& options) {
  return std::make_unique<DenseSgd>(options);
}

}  // namespace persia::model
