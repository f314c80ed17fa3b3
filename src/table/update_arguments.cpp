#include "table/update_arguments.hpp"

#include <cmath>

#include "config/learning_rate.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

constexpr std::size_t kMaxTabulated = std::size_t{1}
                                      << 15;  // beta 0.999 reaches 1 in single precision after 17 thousand

BiasCorrection from_powers(double power1, double power2) {
  return {static_cast<float>(1 / (1 - power1)), static_cast<float>(1 / (1 - power2))};
}

float limit_of(double written) {
  return written > 0 ? static_cast<float>(written) : std::numeric_limits<float>::infinity();
}

// The next number of that precision, so that rounding does not lead beyond a bound. Rows with a scale look to
// that themselves.
float towards_zero(float value, config::Precision precision) {
  return visit_precision(precision, [&]<class Value>() {
    if constexpr (Value::rounds && !Value::has_scale)
      return Value::template decode<std::uint32_t>(
          Value::template stochastic<std::uint32_t>(value, Value::kLargestValue, 0U));
    else
      return value;
  });
}

}  // namespace

BiasCorrections::BiasCorrections(double beta1, double beta2) : beta1_(beta1), beta2_(beta2) {
  for (std::size_t count = 1; count <= kMaxTabulated; ++count) {
    first_.push_back(beyond(static_cast<float>(count)));
    if (first_.back().first == 1.0F && first_.back().second == 1.0F) return;
  }
}

BiasCorrection BiasCorrections::beyond(float count) const {
  return from_powers(std::pow(beta1_, count), std::pow(beta2_, count));
}

UpdateArguments make_update_arguments(const config::Table& table) {
  const config::Optimizer& optimizer = table.optimizer;
  UpdateArguments arguments;
  arguments.learning_rate = static_cast<float>(config::rate_at(optimizer, Step(0)));
  arguments.momentum = static_cast<float>(optimizer.momentum);
  arguments.accumulator_decay = static_cast<float>(optimizer.accumulator_decay);
  arguments.epsilon = static_cast<float>(optimizer.epsilon);
  arguments.beta1 = static_cast<float>(optimizer.beta1);
  arguments.beta2 = static_cast<float>(optimizer.beta2);
  arguments.one_minus_beta1 = static_cast<float>(1 - optimizer.beta1);
  arguments.one_minus_beta2 = static_cast<float>(1 - optimizer.beta2);
  arguments.beta = static_cast<float>(optimizer.beta);
  arguments.l1 = static_cast<float>(optimizer.l1);
  arguments.l2 = static_cast<float>(optimizer.l2);
  arguments.weight_decay = static_cast<float>(optimizer.weight_decay);
  arguments.clips = table.clip_value > 0 || table.clip_norm > 0;
  arguments.clip_value = limit_of(table.clip_value);
  arguments.clip_norm = limit_of(table.clip_norm);
  arguments.weight_bound = towards_zero(limit_of(table.weight_bound), table.precision);
  const bool corrects = visit_rule(optimizer.type, []<class Rule>() { return Rule::counts_updates; });
  if (corrects) arguments.corrections = BiasCorrections(optimizer.beta1, optimizer.beta2);
  return arguments;
}

}  // namespace persia::table
