#include "model/dense_optimizer.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "helpers.hpp"
#include "model/memory.hpp"

namespace persia::model {
namespace {

using config::OptimizerType;
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

// One parameter in double precision.
class Reference {
 public:
  Reference(const config::Optimizer& options, double w)
      : options_(options), w_(w), a_(options.initial_accumulator) {}

  double step(double gradient) {
    const double g = gradient + options_.weight_decay * w_;
    ++t_;
    if (options_.type == OptimizerType::sgd) w_ -= options_.learning_rate * g;
    if (options_.type == OptimizerType::momentum) {
      m_ = options_.momentum * m_ + g;
      w_ -= options_.learning_rate * m_;
    }
    if (options_.type == OptimizerType::adagrad) {
      a_ += g * g;
      w_ -= options_.learning_rate * g / (std::sqrt(a_) + options_.epsilon);
    }
    if (options_.type == OptimizerType::adam) {
      m_ = options_.beta1 * m_ + (1 - options_.beta1) * g;
      v_ = options_.beta2 * v_ + (1 - options_.beta2) * g * g;
      w_ -= options_.learning_rate * m_ / (1 - std::pow(options_.beta1, t_)) /
            (std::sqrt(v_ / (1 - std::pow(options_.beta2, t_))) + options_.epsilon);
    }
    return w_;
  }

 private:
  config::Optimizer options_;
  double w_, a_, m_ = 0, v_ = 0;
  int t_ = 0;
};

class EveryDenseOptimizer : public ::testing::TestWithParam<OptimizerType> {
 protected:
  config::Optimizer options{
      .type = GetParam(), .learning_rate = 0.05, .initial_accumulator = 0.1, .weight_decay = 0.01};
};

TEST_P(EveryDenseOptimizer, FollowsItsFormulaInDouble) {
  constexpr std::int64_t size = 100;
  constexpr float scale = 0.25F;
  const auto optimizer = make_dense_optimizer(options, size);
  const auto first = random_values<float>(size, 1);
  const Values w(first);
  std::vector<Reference> references;
  for (const float value : first) references.emplace_back(options, value);
  for (int step = 0; step < 50; ++step) {
    const auto gradients = random_values<float>(size, static_cast<std::uint64_t>(100 + step));
    optimizer->apply(w.span(), Values(gradients).span(), scale);
    const auto now = w.on_host();
    for (std::size_t i = 0; i < references.size(); ++i)
      ASSERT_NEAR(now[i], references[i].step(double{gradients[i]} * scale), 5e-6);
  }
  EXPECT_EQ(optimizer->steps(), 50);
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

INSTANTIATE_TEST_SUITE_P(Types, EveryDenseOptimizer,
                         ::testing::Values(OptimizerType::sgd, OptimizerType::momentum,
                                           OptimizerType::adagrad, OptimizerType::adam));

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

TEST(DenseOptimizer, RefusesRowwiseAdagradAndNamesAdagrad) {
  try {
    static_cast<void>(make_dense_optimizer({.type = OptimizerType::rowwise_adagrad}, 1));
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("use adagrad"));
  }
}

}  // namespace
}  // namespace persia::model
