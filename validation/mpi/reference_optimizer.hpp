// The optimizers once more, in double precision and the plainest way: the formulas of config/run_file.hpp.
// Shares no code with src/, so that equal results mean something. Rows, dense parameters and whole trainings
// are compared with it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "config/run_file.hpp"
#include "reference_network.hpp"

namespace persia::reference {

// Arguments and state of one optimizer over one vector of values: a row, or all dense parameters.
class Optimizer {
 public:
  Optimizer(const config::Optimizer& options, std::size_t size);
  // `step`: of the training, which decides the learning rate.
  void apply(Values& values, Values gradients, std::int64_t step);

 private:
  [[nodiscard]] double rate_of(std::int64_t step) const;
  [[nodiscard]] double step(std::size_t i, double value, double gradient);
  [[nodiscard]] double adam_step(std::size_t i, double gradient);
  [[nodiscard]] double ftrl_value(std::size_t i, double value, double gradient);
  [[nodiscard]] double trust_ratio(const Values& values, const Values& steps) const;

  config::Optimizer options_;
  Values accumulator_, m_, v_;
  double row_accumulator_, row_v_ = 0;
  double count_ = 0;
  double rate_ = 0, last_rate_ = 0;  // of this update and the one before
};

// One row of a table: its optimizer between the table's clipping and its bound.
class RowOptimizer {
 public:
  RowOptimizer(const config::Table& table, std::size_t size);
  void apply(Values& values, Values gradients, std::int64_t step);

 private:
  config::Table table_;
  Optimizer optimizer_;
};

}  // namespace persia::reference
