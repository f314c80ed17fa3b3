// With g including decay w: a = accumulator_decay a + g g; w -= lr g / (sqrt(a) + epsilon).
#include "model/dense_optimizer_kinds.hpp"

namespace persia::model {
namespace {

struct AdagradUpdate {
  float learning_rate, accumulator_decay, epsilon, weight_decay, gradient_scale;
  float *w, *accumulator;
  const float* gradient;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const float g = gradient[i] * gradient_scale + weight_decay * w[i];
    accumulator[i] = accumulator_decay * accumulator[i] + g * g;
    w[i] -= learning_rate * g / (Kokkos::sqrt(accumulator[i]) + epsilon);
  }
};

class DenseAdagrad final : public CountedOptimizer {
 public:
  DenseAdagrad(const config::Optimizer& options, std::int64_t size)
      : CountedOptimizer(options),
        accumulator_("accumulator", size, static_cast<float>(options.initial_accumulator)) {}

  void apply(std::span<float> parameters, std::span<const float> gradients, float gradient_scale,
             Step step) override {
    count_step();
    update_each("persia::model::dense_adagrad", parameters, gradients,
                AdagradUpdate{.learning_rate = rate_at(step),
                              .accumulator_decay = static_cast<float>(options().accumulator_decay),
                              .epsilon = static_cast<float>(options().epsilon),
                              .weight_decay = static_cast<float>(options().weight_decay),
                              .gradient_scale = gradient_scale,
                              .w = parameters.data(),
                              .accumulator = accumulator_.data(),
                              .gradient = gradients.data()});
  }

  [[nodiscard]] std::vector<State> state() override { return {accumulator_.state()}; }

 private:
  StateBuffer accumulator_;
};

}  // namespace

std::unique_ptr<DenseOptimizer> make_dense_adagrad(const config::Optimizer& options,
                                                   std::int64_t num_parameters) {
  return std::make_unique<DenseAdagrad>(options, num_parameters);
}

}  // namespace persia::model
