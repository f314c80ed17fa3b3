#include "config/learning_rate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::config {

namespace {

// Of learning_rate, `steps` after the warm-up.
double share_at(const Schedule& schedule, std::int64_t steps) {
  const auto falling = [&](double one_to_zero) { return schedule.end + (1 - schedule.end) * one_to_zero; };
  const auto passed = [&] {
    return std::min(1.0, static_cast<double>(steps) / static_cast<double>(schedule.decay_steps));
  };
  switch (schedule.type) {
    case ScheduleType::constant:
      return 1;
    case ScheduleType::step:
      return std::pow(schedule.factor, static_cast<double>(steps / schedule.every_steps));
    case ScheduleType::polynomial:
      return falling(std::pow(1 - passed(), schedule.power));
    case ScheduleType::cosine:
      return falling((1 + std::cos(std::numbers::pi * passed())) / 2);
  }
  return 1;
}

}  // namespace

double rate_at(const Optimizer& optimizer, Step step) {
  const std::int64_t warm_up = optimizer.schedule.warm_up_steps;
  if (step.value() < warm_up)
    return optimizer.learning_rate * (static_cast<double>(step.value() + 1) / static_cast<double>(warm_up));
  return optimizer.learning_rate * share_at(optimizer.schedule, step.value() - warm_up);
}

}  // namespace persia::config
