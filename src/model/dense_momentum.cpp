// m = momentum m + g + decay w; w -= lr m.
#include "model/dense_optimizer_kinds.hpp"

namespace persia::model {
namespace {

struct MomentumUpdate {
  float learning_rate, momentum, weight_decay, gradient_scale;
  float *w, *m;
  const float* gradient;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    m[i] = momentum * m[i] + (gradient[i] * gradient_scale + weight_decay * w[i]);
    w[i] -= learning_rate * m[i];
  }
};

class DenseMomentum final : public CountedOptimizer {
 public:
  DenseMomentum(const config::Optimizer& options, std::int64_t size)
      : CountedOptimizer(options), m_("momentum", size, 0.0F) {}

  void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale,
             Step step) override {
    count_step();
    update_each("persia::model::dense_momentum", parameters, gradients,
                MomentumUpdate{rate_at(step), static_cast<float>(options().momentum),
                               static_cast<float>(options().weight_decay), gradient_scale, parameters.data(),
                               m_.data(), gradients.data()});
  }

  [[nodiscard]] std::vector<State> state() override { return {m_.state()}; }

 private:
  StateBuffer m_;
};

}  // namespace

std::unique_ptr<DenseOptimizer> make_dense_momentum(const config::Optimizer& options,
                                                    std::int64_t num_parameters) {
  return std::make_unique<DenseMomentum>(options, num_parameters);
}

}  // namespace persia::model
