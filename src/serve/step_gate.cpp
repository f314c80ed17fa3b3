#include "serve/step_gate.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"

namespace persia::serve {

namespace {

struct RowHash {
  std::size_t operator()(const table::Row& row) const {
    return std::hash<std::uint64_t>{}((std::uint64_t{row.shard} << 32) | row.slot.value());
  }
};

// Distinct rows of all trainers with their summed gradients, in first-seen order.
struct RowSums {
  std::vector<table::Row> rows;
  std::vector<float> values;
  std::unordered_map<table::Row, std::size_t, RowHash> place;

  void add(std::span<const table::Row> some_rows, const float* some_values, std::size_t dim) {
    for (const table::Row& row : some_rows) {
      const auto [found, is_new] = place.try_emplace(row, rows.size());
      if (is_new) {
        rows.push_back(row);
        values.insert(values.end(), some_values, some_values + dim);
      } else {
        float* sum = values.data() + found->second * dim;
        for (std::size_t d = 0; d < dim; ++d) sum[d] += some_values[d];
      }
      some_values += dim;
    }
  }
};

}  // namespace

StepGate::StepGate(std::int32_t num_trainers, Step first_step)
    : open_step_(first_step), gradients_(static_cast<std::size_t>(num_trainers)) {}

bool StepGate::add(std::int32_t trainer, Step step, StepGradient gradient) {
  require(trainer >= 0 && trainer < std::ssize(gradients_), "a gradient names trainer {} of {}", trainer,
          gradients_.size());
  std::optional<StepGradient>& place = gradients_[static_cast<std::size_t>(trainer)];
  require(step == open_step_ && !place, "trainer {} sent a gradient of step {} while step {} is open",
          trainer, step.value(), open_step_.value());
  place = std::move(gradient);
  return std::all_of(gradients_.begin(), gradients_.end(), [](const auto& g) { return g.has_value(); });
}

std::string StepGate::describe() const {
  std::vector<std::size_t> missing;
  for (std::size_t trainer = 0; trainer < gradients_.size(); ++trainer)
    if (!gradients_[trainer]) missing.push_back(trainer);
  return fmt::format("step {} waits for the gradients of trainers {}", open_step_.value(),
                     fmt::join(missing, ", "));
}

std::vector<Receipt> StepGate::apply(std::span<const std::unique_ptr<table::Table>> tables) {
  std::vector<std::size_t> at(gradients_.size(), 0);  // floats already taken, by trainer
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto dim = static_cast<std::size_t>(tables[t]->schema().table.dim);
    RowSums sums;
    for (std::size_t trainer = 0; trainer < gradients_.size(); ++trainer) {
      const StepGradient& gradient = *gradients_[trainer];
      sums.add(gradient.rows[t], gradient.values.data() + at[trainer], dim);
      at[trainer] += gradient.rows[t].size() * dim;
    }
    const status::Detail detail("updating table {}", checked_cast<std::int64_t>(t));
    tables[t]->update(sums.rows, sums.values, open_step_);
  }
  std::vector<Receipt> receipts;
  for (std::optional<StepGradient>& gradient : gradients_)
    receipts.push_back(std::exchange(gradient, {})->receipt);
  open_step_ = Step(open_step_.value() + 1);
  return receipts;
}

}  // namespace persia::serve
