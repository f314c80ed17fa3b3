#include <gtest/gtest.h>

#include <cmath>

#include "table_maker.hpp"

namespace persia::table {
namespace {

// One row in double precision, straight from the formulas of config/run_file.hpp.
struct ReferenceRow {
  std::vector<double> w, first, second;
  double row_state = 0;
  int count = 0;

  ReferenceRow(const std::vector<float>& start, const config::Optimizer& o)
      : w(start.begin(), start.end()),
        first(start.size(), o.type == config::OptimizerType::adagrad ? o.initial_accumulator : 0),
        second(start.size(), 0),
        row_state(o.initial_accumulator) {}

  void update(const config::Optimizer& o, const float* gradient) {
    ++count;
    std::vector<double> g(w.size());
    double mean_square = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      g[i] = gradient[i] + o.weight_decay * w[i];
      mean_square += g[i] * g[i] / static_cast<double>(w.size());
    }
    row_state += mean_square;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] -= step(o, i, g[i]);
  }

  double step(const config::Optimizer& o, std::size_t i, double g) {
    switch (o.type) {
      case config::OptimizerType::sgd:
        return o.learning_rate * g;
      case config::OptimizerType::momentum:
        first[i] = o.momentum * first[i] + g;
        return o.learning_rate * first[i];
      case config::OptimizerType::adagrad:
        first[i] += g * g;
        return o.learning_rate * g / (std::sqrt(first[i]) + o.epsilon);
      case config::OptimizerType::rowwise_adagrad:
        return o.learning_rate * g / (std::sqrt(row_state) + o.epsilon);
      case config::OptimizerType::adam:
        first[i] = o.beta1 * first[i] + (1 - o.beta1) * g;
        second[i] = o.beta2 * second[i] + (1 - o.beta2) * g * g;
        return o.learning_rate * (first[i] / (1 - std::pow(o.beta1, count))) /
               (std::sqrt(second[i] / (1 - std::pow(o.beta2, count))) + o.epsilon);
    }
    return std::nan("");
  }
};

// The largest difference of a row from its reference after `steps` updates.
double largest_error(const config::TableSchema& schema, int steps) {
  const auto dim = static_cast<std::size_t>(schema.table.dim);
  const auto table = make_table(schema, 3);
  const auto ids = ids_between(0, 40);
  Answer answer = lookup(*table, ids);
  std::vector<ReferenceRow> references;
  for (std::size_t r = 0; r < ids.size(); ++r) {
    const auto own = answer.values.begin() + static_cast<long>(r * dim);
    references.emplace_back(std::vector<float>(own, own + static_cast<long>(dim)), schema.table.optimizer);
  }
  for (int step = 0; step < steps; ++step) {
    const auto gradients = gradients_of(ids.size() * dim, static_cast<std::uint64_t>(step));
    table->update(answer.rows, gradients);
    for (std::size_t r = 0; r < ids.size(); ++r)
      references[r].update(schema.table.optimizer, &gradients[r * dim]);
  }
  answer = lookup(*table, ids);
  double largest = 0;
  for (std::size_t r = 0; r < ids.size(); ++r)
    for (std::size_t i = 0; i < dim; ++i)
      largest = std::max(largest, std::abs(answer.values[r * dim + i] - references[r].w[i]));
  return largest;
}

TEST(Optimizers, EqualADoubleReferenceInSinglePrecision) {
  for (const auto type : all_optimizers())
    for (const std::int32_t dim : {1, 5, 16, 100})
      for (const double decay : {0.0, 0.1}) {
        auto schema = schema_with(type, config::Precision::fp32, dim);
        schema.table.optimizer.weight_decay = decay;
        // Values stay below 4, so each of 50 roundings is at most 2.4e-7 off; they rarely all go one way.
        EXPECT_LT(largest_error(schema, 50), 5e-6)
            << "optimizer " << static_cast<int>(type) << " dim " << dim;
      }
}

TEST(Optimizers, FollowADoubleReferenceWithinTheStepsOfHalfPrecision) {
  for (const auto type : all_optimizers()) {
    // Values stay below 4: 50 roundings of one place (2^-9 and 2^-6) that add up like a random walk.
    EXPECT_LT(largest_error(schema_with(type, config::Precision::fp16, 16), 50), 0.03);
    EXPECT_LT(largest_error(schema_with(type, config::Precision::bf16, 16), 50), 0.25);
  }
}

// Each argument changes the result: none is read and dropped.
TEST(Optimizers, HonourEveryArgument) {
  const auto result = [](const config::Optimizer& optimizer) {
    auto schema = schema_with(optimizer.type, config::Precision::fp32, 4);
    schema.table.optimizer = optimizer;
    const auto table = make_table(schema, 3);
    const Answer answer = lookup(*table, ids_of({9}));
    for (std::uint64_t step = 0; step < 3; ++step) table->update(answer.rows, gradients_of(4, step));
    return lookup(*table, ids_of({9})).values;
  };
  using enum config::OptimizerType;
  for (const auto type : all_optimizers()) {
    const config::Optimizer base{.type = type};
    auto changed = base;
    changed.learning_rate = 0.011;
    EXPECT_NE(result(changed), result(base));
    changed = base;
    changed.weight_decay = 0.5;
    EXPECT_NE(result(changed), result(base));
    changed = base;
    changed.epsilon = 0.1;
    EXPECT_EQ(result(changed) != result(base), type != sgd && type != momentum);
    changed = base;
    changed.initial_accumulator = 0.5;
    EXPECT_EQ(result(changed) != result(base), type == adagrad || type == rowwise_adagrad);
    changed = base;
    changed.momentum = 0.5;
    EXPECT_EQ(result(changed) != result(base), type == momentum);
    changed = base;
    changed.beta1 = 0.5;
    EXPECT_EQ(result(changed) != result(base), type == adam);
    changed = base;
    changed.beta2 = 0.5;
    EXPECT_EQ(result(changed) != result(base), type == adam);
  }
}

// Field case: two libraries with epsilon 1e-8 and 1e-10 in one model, unnoticed. The dense optimizer has the
// same test.
TEST(Optimizers, AdagradTakesItsEpsilonOutsideTheRoot) {
  for (const auto type : {config::OptimizerType::adagrad, config::OptimizerType::rowwise_adagrad})
    for (const auto& [epsilon, step] : {std::pair{1e-8, 0.0909091}, std::pair{1e-10, 0.9090909}}) {
      auto schema = schema_with(type, config::Precision::fp32, 1);
      schema.table.optimizer = {.type = type, .learning_rate = 1, .epsilon = epsilon};
      const auto table = make_table(schema, 3);
      const FeatureId id(1);
      const float one = 1, zero = 0, gradient = 1e-9F;
      table->insert_block({std::span(&id, 1), std::as_bytes(std::span(&one, 1)), std::span(&zero, 1)});
      table->update(lookup(*table, {id}).rows, std::span(&gradient, 1));
      EXPECT_NEAR(1 - lookup(*table, {id}).values[0], step, 2e-7);
    }
}

TEST(Optimizers, WithoutEpsilonAZeroGradientMovesNothing) {
  for (const auto type : all_optimizers()) {
    auto schema = schema_with(type, config::Precision::fp32, 3);
    schema.table.optimizer.epsilon = 0;
    const auto table = make_table(schema, 3);
    const Answer before = lookup(*table, ids_of({1}));
    table->update(before.rows, std::vector<float>(3, 0.0F));
    EXPECT_EQ(lookup(*table, ids_of({1})).values, before.values);
  }
}

}  // namespace
}  // namespace persia::table
