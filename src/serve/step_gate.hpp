// Sync mode at one owner: gathers the gradients of all trainers of a step, sums them per row, applies each
// row once.
//
// The sum runs in trainer order, whatever order the messages came in, so that results repeat bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "table/table.hpp"

namespace persia::serve {

// Who is told that a gradient was applied.
struct Receipt {
  std::int32_t client = 0;
  Token token;
  bool operator==(const Receipt&) const = default;
};

// One trainer's gradient of one step: rows by table, and values (sum of rows x dim) in the same order.
struct StepGradient {
  Receipt receipt;
  std::vector<std::vector<table::Row>> rows;
  std::vector<float> values;
};

class StepGate {
 public:
  // The first step that will be applied; lookups of it are allowed at once.
  StepGate(std::int32_t num_trainers, Step first_step);

  // Lookups of this step may be answered: all updates before it are applied.
  [[nodiscard]] Step open_step() const { return open_step_; }

  // Keeps trainer's gradient of open_step(). Post: true when it was the last one; then call apply().
  [[nodiscard]] bool add(std::int32_t trainer, Step step, StepGradient gradient);

  // Applies the sums to `tables` and opens the next step. Returns each trainer's receipt, in trainer order.
  std::vector<Receipt> apply(std::span<const std::unique_ptr<table::Table>> tables);

  // "step 120 waits for the gradients of trainers 1, 3"
  [[nodiscard]] std::string describe() const;

 private:
  Step open_step_;
  std::vector<std::optional<StepGradient>> gradients_;  // by trainer
};

}  // namespace persia::serve
