#include "reference_optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::reference {
namespace {

double square(double x) {
  return x * x;
}
double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}
double norm(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

Optimizer::Optimizer(const config::Optimizer& options, std::size_t size)
    : options_(options),
      accumulator_(size, options.initial_accumulator),
      m_(size, 0.0),
      v_(size, 0.0),
      row_accumulator_(options.initial_accumulator) {}

double Optimizer::rate_of(std::int64_t step) const {
  const config::Schedule& s = options_.schedule;
  const double full = options_.learning_rate;
  if (step < s.warm_up_steps)
    return full * static_cast<double>(step + 1) / static_cast<double>(s.warm_up_steps);
  step -= s.warm_up_steps;
  if (s.type == config::ScheduleType::constant) return full;
  if (s.type == config::ScheduleType::step) {
    double rate = full;
    for (std::int64_t after = s.every_steps; after <= step; after += s.every_steps) rate *= s.factor;
    return rate;
  }
  if (step >= s.decay_steps) return full * s.end;
  const double left = static_cast<double>(s.decay_steps - step) / static_cast<double>(s.decay_steps);
  const double share = s.type == config::ScheduleType::polynomial ? std::pow(left, s.power)
                                                                  : square(std::sin(left * std::acos(0.0)));
  return full * s.end + full * (1 - s.end) * share;
}

void Optimizer::apply(Values& values, Values gradients, std::int64_t step_number) {
  const config::OptimizerType type = options_.type;
  ++count_;
  last_rate_ = std::exchange(rate_, rate_of(step_number));
  if (type != config::OptimizerType::adamw && type != config::OptimizerType::lamb &&
      type != config::OptimizerType::ftrl)
    for (std::size_t i = 0; i < values.size(); ++i) gradients[i] += options_.weight_decay * values[i];
  const double mean_square = square(norm(gradients)) / static_cast<double>(values.size());
  row_accumulator_ = options_.accumulator_decay * row_accumulator_ + mean_square;
  row_v_ = options_.beta2 * row_v_ + (1 - options_.beta2) * mean_square;
  Values steps(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) steps[i] = step(i, values[i], gradients[i]);
  const double ratio = type == config::OptimizerType::lamb ? trust_ratio(values, steps) : 1;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= ratio * steps[i];
}

double Optimizer::adam_step(std::size_t i, double g) {
  const config::Optimizer& o = options_;
  m_[i] = o.beta1 * m_[i] + (1 - o.beta1) * g;
  v_[i] = o.type == config::OptimizerType::rowwise_adam ? row_v_ : o.beta2 * v_[i] + (1 - o.beta2) * g * g;
  return rate_ * (m_[i] / (1 - std::pow(o.beta1, count_))) /
         (std::sqrt(v_[i] / (1 - std::pow(o.beta2, count_))) + o.epsilon);
}

// As in the paper, with m_ as z and accumulator_ as n. A z from gradients at another rate is weighed anew, so
// that w stays where it is.
double Optimizer::ftrl_value(std::size_t i, double w, double g) {
  const config::Optimizer& o = options_;
  const double alpha = rate_;
  double& z = m_[i];
  double& n = accumulator_[i];
  if (count_ == 1) {  // the z that gives w
    n = 0;
    z = -w * (o.beta / alpha + o.l2) - sign(w) * o.l1;
  } else {
    z *= last_rate_ / alpha;
  }
  const double sigma = (std::sqrt(n + g * g) - std::sqrt(n)) / alpha;
  z += g - sigma * w;
  n += g * g;
  if (std::abs(z) <= o.l1) return 0;
  return -(z - sign(z) * o.l1) / ((o.beta + std::sqrt(n)) / alpha + o.l2);
}

double Optimizer::trust_ratio(const Values& values, const Values& steps) const {
  const double value_norm = norm(values);
  const double direction_norm = norm(steps) / rate_;
  return value_norm > 0 && direction_norm > 0 ? value_norm / direction_norm : 1;
}

double Optimizer::step(std::size_t i, double w, double g) {
  const config::Optimizer& o = options_;
  switch (o.type) {
    case config::OptimizerType::sgd:
      return rate_ * g;
    case config::OptimizerType::momentum:
      m_[i] = o.momentum * m_[i] + g;
      return rate_ * m_[i];
    case config::OptimizerType::adagrad:
      accumulator_[i] = o.accumulator_decay * accumulator_[i] + g * g;
      return rate_ * g / (std::sqrt(accumulator_[i]) + o.epsilon);
    case config::OptimizerType::rowwise_adagrad:
      return rate_ * g / (std::sqrt(row_accumulator_) + o.epsilon);
    case config::OptimizerType::adam:
    case config::OptimizerType::rowwise_adam:
      return adam_step(i, g);
    case config::OptimizerType::adamw:
    case config::OptimizerType::lamb:
      return adam_step(i, g) + rate_ * o.weight_decay * w;
    case config::OptimizerType::ftrl:
      return w - ftrl_value(i, w, g);
  }
  fail("optimizer number {} has no formula in reference_optimizer.cpp", static_cast<int>(o.type));
}

RowOptimizer::RowOptimizer(const config::Table& table, std::size_t size)
    : table_(table), optimizer_(table.optimizer, size) {}

void RowOptimizer::apply(Values& values, Values gradients, std::int64_t step) {
  const auto limit = [](Values& numbers, double most) {
    if (most == 0) return;
    for (double& number : numbers) number = std::clamp(number, -most, most);
  };
  limit(gradients, table_.clip_value);
  const double size = norm(gradients);
  if (table_.clip_norm > 0 && size > table_.clip_norm)
    for (double& g : gradients) g *= table_.clip_norm / size;
  optimizer_.apply(values, std::move(gradients), step);
  limit(values, table_.weight_bound);
}

}  // namespace persia::reference
