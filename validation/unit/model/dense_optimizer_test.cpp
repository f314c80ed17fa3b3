#include "model/dense_optimizer.hpp"

#include <gmock/gmock.h>

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

std::vector<OptimizerType> dense_types() {
  auto types = every<OptimizerType>();
  std::erase_if(types, [](OptimizerType type) { return !config::has_dense_form(type); });
  return types;
}

class EveryDenseOptimizer : public ::testing::TestWithParam<OptimizerType> {
 protected:
  config::Optimizer options{
      .type = GetParam(), .learning_rate = 0.05, .initial_accumulator = 0.1, .weight_decay = 0.01};
};

TEST_P(EveryDenseOptimizer, FollowsItsFormulaInDouble) {
  constexpr std::int64_t size = 100;
  constexpr float scale = 0.75F;
  for (const config::Optimizer& variant : persia::testing::variants(options)) {
    const auto optimizer = make_dense_optimizer(variant, size);
    const auto first = random_values<float>(size, 1);
    const Values w(first);
    reference::Values expected(first.begin(), first.end());
    reference::Optimizer reference(variant, size);
    for (int step = 0; step < 50; ++step) {
      const auto gradients = random_values<float>(size, static_cast<std::uint64_t>(100 + step));
      optimizer->apply(w.span(), Values(gradients).span(), scale);
      reference::Values scaled(gradients.begin(), gradients.end());
      for (double& gradient : scaled) gradient *= scale;
      reference.apply(expected, scaled);
      const auto now = w.on_host();
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(now[i], expected[i], 5e-6);
    }
    EXPECT_EQ(optimizer->steps(), 50);
  }
}

TEST_P(EveryDenseOptimizer, ContinuesBitIdenticallyFromSavedState) {
  constexpr std::int64_t size = 37;
  const Values gradient(random_values<float>(size, 2));
  const Values w(random_values<float>(size, 1));
  const auto optimizer = make_dense_optimizer(options, size);
  for (int step = 0; step < 3; ++step) optimizer->apply(w.span(), gradient.span(), 1.0F);

  const Values w2(w.on_host());
  const auto second = make_dense_optimizer(options, size);
  const auto from = optimizer->state();
  const auto to = second->state();
  ASSERT_EQ(from.size(), to.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(from[i].name, to[i].name);
    std::vector<float> saved(from[i].values.size());
    copy_to_host(from[i].values, saved);
    copy_from_host(saved, to[i].values);
  }
  second->set_steps(optimizer->steps());

  for (int step = 0; step < 3; ++step) {
    optimizer->apply(w.span(), gradient.span(), 1.0F);
    second->apply(w2.span(), gradient.span(), 1.0F);
  }
  EXPECT_EQ(w.on_host(), w2.on_host());
}

// A key that the run file takes changes the result, one that it refuses does not: none is read and dropped.
TEST_P(EveryDenseOptimizer, HonoursEveryArgument) {
  constexpr std::int64_t size = 4;
  const auto result = [&](const config::Optimizer& arguments) {
    const auto optimizer = make_dense_optimizer(arguments, size);
    const Values w(random_values<float>(size, 1));
    for (std::uint64_t step = 0; step < 3; ++step)
      optimizer->apply(w.span(), Values(random_values<float>(size, 100 + step)).span(), 1.0F);
    return w.on_host();
  };
  const config::Optimizer base{.type = GetParam()};
  for_each_changed_number(base, [&](const std::string& key, const config::Optimizer& changed, bool used) {
    EXPECT_EQ(result(changed) != result(base), used) << key;
  });
}

INSTANTIATE_TEST_SUITE_P(Types, EveryDenseOptimizer, ::testing::ValuesIn(dense_types()),
                         [](const auto& test) { return std::string(config::name_of(test.param)); });

// The row optimizer of table/ is held to the same values.
TEST(DenseOptimizer, AdagradStepOfATinyGradient) {
  for (const auto& [epsilon, step] : {std::pair(1e-8, 0.0909091), std::pair(1e-10, 0.9090909)}) {
    const auto optimizer =
        make_dense_optimizer({.type = OptimizerType::adagrad, .learning_rate = 1.0, .epsilon = epsilon}, 1);
    const Values w({1.0F});
    optimizer->apply(w.span(), Values({1e-9F}).span(), 1.0F);
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
