#include "model/dense_optimizer.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "config/optimizers.hpp"
#include "every.hpp"
#include "helpers.hpp"
#include "model/memory.hpp"
#include "reference_optimizer.hpp"

namespace persia::model {
namespace {

using config::OptimizerType;
using persia::testing::every;
using persia::testing::for_each_changed_number;
using testing::random_values;

// Parameters and gradients in the network's memory.
class Values {
 public:
  explicit Values(const std::vector<float>& values) : view_("test", values.size()) {
    copy_from_host(values, span());
  }
  [[nodiscard]] std::span<float> span() const { return {view_.data(), view_.size()}; }
  [[nodiscard]] std::vector<float> on_host() const {
    std::vector<float> copy(view_.size());
    copy_to_host(span(), copy);
    return copy;
  }

 private:
  Kokkos::View<float*, Memory> view_;
};

// As a checkpoint does.
void copy_states(DenseOptimizer& one, DenseOptimizer& other) {
  const auto from = one.state();
  const auto to = other.state();
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(from[i].name, to[i].name);
    std::vector<float> saved(from[i].values.size());
    copy_to_host(from[i].values, saved);
    copy_from_host(saved, to[i].values);
  }
  other.set_steps(one.steps());
}

std::vector<OptimizerType> dense_types() {
  auto types = every<OptimizerType>();
  std::erase_if(types, [](OptimizerType type) { return !config::has_dense_form(type); });
  return types;
}

class EveryDenseOptimizer : public ::testing::TestWithParam<OptimizerType> {
 protected:
  config::Optimizer options{
      .type = GetParam(), .learning_rate = 0.05, .initial_accumulator = 0.1, .weight_decay = 0.01};

  // The options without and with every schedule; testing::schedules() has the meaning of `steps`.
  [[nodiscard]] std::vector<config::Optimizer> scheduled(std::int64_t steps) const {
    std::vector<config::Optimizer> all{options};
    for (const config::Schedule& schedule : persia::testing::schedules(steps)) {
      all.push_back(options);
      all.back().schedule = schedule;
    }
    return all;
  }

  // The largest difference of 100 parameters from double precision over 50 steps.
  static double largest_error(const config::Optimizer& arguments) {
    constexpr std::int64_t size = 100;
    constexpr float scale = 0.75F;
    const auto optimizer = make_dense_optimizer(arguments, size);
    const auto first = random_values<float>(size, 1);
    const Values w(first);
    reference::Values expected(first.begin(), first.end());
    reference::Optimizer reference(arguments, size);
    double largest = 0;
    for (int step = 0; step < 50; ++step) {
      const auto gradients = random_values<float>(size, static_cast<std::uint64_t>(100 + step));
      optimizer->apply(w.span(), Values(gradients).span(), scale, Step(step));
      reference::Values scaled(gradients.begin(), gradients.end());
      for (double& gradient : scaled) gradient *= scale;
      reference.apply(expected, scaled, step);
      const auto now = w.on_host();
      for (std::size_t i = 0; i < expected.size(); ++i)
        largest = std::max(largest, std::abs(now[i] - expected[i]));
    }
    EXPECT_EQ(optimizer->steps(), 50);
    return largest;
  }
};

TEST_P(EveryDenseOptimizer, FollowsItsFormulaInDouble) {
  for (const config::Optimizer& arguments : scheduled(7))
    for (const config::Optimizer& variant : persia::testing::variants(arguments))
      EXPECT_LT(largest_error(variant), 5e-6) << config::name_of(arguments.schedule.type);
}

TEST_P(EveryDenseOptimizer, ContinuesBitIdenticallyFromSavedState) {
  constexpr std::int64_t size = 37;
  const Values gradient(random_values<float>(size, 2));
  for (const config::Optimizer& arguments : scheduled(2)) {
    const Values w(random_values<float>(size, 1));
    const auto optimizer = make_dense_optimizer(arguments, size);
    for (int step = 0; step < 3; ++step) optimizer->apply(w.span(), gradient.span(), 1.0F, Step(step));

    const Values w2(w.on_host());
    const auto second = make_dense_optimizer(arguments, size);
    copy_states(*optimizer, *second);
    for (int step = 3; step < 8; ++step) {
      optimizer->apply(w.span(), gradient.span(), 1.0F, Step(step));
      second->apply(w2.span(), gradient.span(), 1.0F, Step(step));
    }
    EXPECT_EQ(w.on_host(), w2.on_host());
  }
}

// A key that the run file takes changes the result, one that it refuses does not: none is read and dropped.
TEST_P(EveryDenseOptimizer, HonoursEveryArgument) {
  constexpr std::int64_t size = 4;
  const auto result = [&](const config::Optimizer& arguments) {
    const auto optimizer = make_dense_optimizer(arguments, size);
    const Values w(random_values<float>(size, 1));
    for (int step = 0; step < 3; ++step)
      optimizer->apply(w.span(),
                       Values(random_values<float>(size, static_cast<std::uint64_t>(100 + step))).span(),
                       1.0F, Step(step));
    return w.on_host();
  };
  for (const config::Schedule& schedule : persia::testing::schedules(1)) {
    const config::Optimizer base{.type = GetParam(), .schedule = schedule};
    for_each_changed_number(base, [&](const std::string& key, const config::Optimizer& changed, bool used) {
      EXPECT_EQ(result(changed) != result(base), used) << key << " " << config::name_of(schedule.type);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EveryDenseOptimizer, ::testing::ValuesIn(dense_types()),
                         [](const auto& test) { return std::string(config::name_of(test.param)); });

// The row optimizer of table/ is held to the same values.
TEST(DenseOptimizer, AdagradStepOfATinyGradient) {
  for (const auto& [epsilon, step] : {std::pair(1e-8, 0.0909091), std::pair(1e-10, 0.9090909)}) {
    const auto optimizer =
        make_dense_optimizer({.type = OptimizerType::adagrad, .learning_rate = 1.0, .epsilon = epsilon}, 1);
    const Values w({1.0F});
    optimizer->apply(w.span(), Values({1e-9F}).span(), 1.0F, Step(0));
    EXPECT_NEAR(1.0 - w.on_host()[0], step, 2e-7);
  }
}

TEST(DenseOptimizer, RefusesThoseForRowsAloneAndNamesTheOthers) {
  for (const OptimizerType type : every<OptimizerType>()) {
    if (config::has_dense_form(type)) continue;
    try {
      static_cast<void>(make_dense_optimizer({.type = type}, 1));
      FAIL() << "accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(config::name_of(type)));
      EXPECT_THAT(error.what(), ::testing::HasSubstr("use sgd, momentum, adagrad or adam"));
    }
  }
}

}  // namespace
}  // namespace persia::model
