// With g including decay w, at step t: m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g g;
// w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon).
#include <cmath>

#include "model/dense_optimizer_kinds.hpp"

namespace persia::model {
namespace {

struct AdamUpdate {
  float learning_rate, beta1, beta2, one_minus_beta1, one_minus_beta2, correction1, correction2, epsilon;
  float weight_decay, gradient_scale;
  float *w, *m, *v;
  const float* gradient;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const float g = gradient[i] * gradient_scale + weight_decay * w[i];
    m[i] = beta1 * m[i] + one_minus_beta1 * g;
    v[i] = beta2 * v[i] + one_minus_beta2 * g * g;
    w[i] -= learning_rate * (m[i] * correction1) / (Kokkos::sqrt(v[i] * correction2) + epsilon);
  }
};

class DenseAdam final : public CountedOptimizer {
 public:
  DenseAdam(const config::Optimizer& options, std::int64_t size)
      : CountedOptimizer(options), m_("m", size, 0.0F), v_("v", size, 0.0F) {}

  void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale,
             Step step) override {
    const auto [beta1, beta2] = std::pair(options().beta1, options().beta2);
    const auto count = static_cast<double>(count_step());
    update_each("persia::model::dense_adam", parameters, gradients,
                AdamUpdate{.learning_rate = rate_at(step),
                           .beta1 = static_cast<float>(beta1),
                           .beta2 = static_cast<float>(beta2),
                           .one_minus_beta1 = static_cast<float>(1 - beta1),
                           .one_minus_beta2 = static_cast<float>(1 - beta2),
                           .correction1 = static_cast<float>(1 / (1 - std::pow(beta1, count))),
                           .correction2 = static_cast<float>(1 / (1 - std::pow(beta2, count))),
                           .epsilon = static_cast<float>(options().epsilon),
                           .weight_decay = static_cast<float>(options().weight_decay),
                           .gradient_scale = gradient_scale,
                           .w = parameters.data(),
                           .m = m_.data(),
                           .v = v_.data(),
                           .gradient = gradients.data()});
  }

  [[nodiscard]] std::vector<State> state() override { return {m_.state(), v_.state()}; }

 private:
  StateBuffer m_;
  StateBuffer v_;
};

}  // namespace

std::unique_ptr<DenseOptimizer> make_dense_adam(const config::Optimizer& options,
                                                std::int64_t num_parameters) {
  return std::make_unique<DenseAdam>(options, num_parameters);
}

}  // namespace persia::model
