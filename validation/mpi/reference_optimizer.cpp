#include "reference_optimizer.hpp"

#include <cmath>

#include "base/error.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::reference {

Optimizer::Optimizer(const config::Optimizer& options, std::size_t size)
    : options_(options),
      accumulator_(size, options.initial_accumulator),
      m_(size, 0.0),
      v_(size, 0.0),
      row_accumulator_(options.initial_accumulator) {}

void Optimizer::apply(Values& values, Values gradients) {
  ++count_;
  for (std::size_t i = 0; i < values.size(); ++i) gradients[i] += options_.weight_decay * values[i];
  for (const double g : gradients) row_accumulator_ += g * g / static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= step(i, gradients[i]);
}

double Optimizer::step(std::size_t i, double g) {
  const config::Optimizer& o = options_;
  switch (o.type) {
    case config::OptimizerType::sgd:
      return o.learning_rate * g;
    case config::OptimizerType::momentum:
      m_[i] = o.momentum * m_[i] + g;
      return o.learning_rate * m_[i];
    case config::OptimizerType::adagrad:
      accumulator_[i] += g * g;
      return o.learning_rate * g / (std::sqrt(accumulator_[i]) + o.epsilon);
    case config::OptimizerType::rowwise_adagrad:
      return o.learning_rate * g / (std::sqrt(row_accumulator_) + o.epsilon);
    case config::OptimizerType::adam:
      m_[i] = o.beta1 * m_[i] + (1 - o.beta1) * g;
      v_[i] = o.beta2 * v_[i] + (1 - o.beta2) * g * g;
      return o.learning_rate * (m_[i] / (1 - std::pow(o.beta1, count_))) /
             (std::sqrt(v_[i] / (1 - std::pow(o.beta2, count_))) + o.epsilon);
  }
  fail("optimizer number {} has no formula in reference_optimizer.cpp", static_cast<int>(o.type));
}

}  // namespace persia::reference
