// One trainer's replica of the dense network: forward, backward, exchange with the other trainers, optimizer.
//
// Lives on the compute thread, which alone calls it. In sync and hybrid mode gradients are summed over the
// trainers each step and divided by the global batch's rows, so all replicas stay equal; in async mode each
// replica takes its own mean gradient and parameters are averaged every `average_every` steps.
//
// A step that ends with `failed` set, or with a loss that is not finite, is the last one: all trainers see it
// and stop there, so train_step() leaves later flights as they are instead of asking for a sum that nobody
// joins.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "config/run_file.hpp"
#include "config/schema.hpp"
#include "model/dense_optimizer.hpp"
#include "model/network.hpp"
#include "sys/device_team.hpp"
#include "train/flight.hpp"
#include "train/reduce_box.hpp"

namespace persia::train {

class DenseReplica {
 public:
  // `device_team` is null in CPU builds: sums then go through the box.
  DenseReplica(const config::RunFile& run, const config::Schema& schema, std::int32_t num_trainers,
               ReduceBox& reduce_box, std::unique_ptr<sys::DeviceTeam> device_team);

  // Fills row_gradients, sets stage gradients_ready, exchanges, steps the optimizer, fills totals and times,
  // sets stage done. Collective over the trainers. `idle_since`: when the compute thread last had work.
  void train_step(Flight& flight, double idle_since);
  // Takes part in the exchange of a step that this trainer has no batch for, and tells the others to stop.
  void failed_step(Step step);
  // async mode: averages parameters now, before an evaluation or a checkpoint. Collective over the trainers.
  [[nodiscard]] StepTotals average_now();
  // Fills logits, sets stage done.
  void evaluate_step(Flight& flight);

  [[nodiscard]] model::Network& network() { return *network_; }
  [[nodiscard]] model::DenseOptimizer& optimizer() { return *optimizer_; }

 private:
  std::span<const float> embedded_of(const Flight& flight);
  StepTotals exchange(Step step, StepTotals totals, std::int64_t own_rows, std::int64_t global_rows);
  void average_parameters(std::span<double> totals);
  void sum_over_trainers(std::span<float> values, std::span<double> totals);

  const config::Training& training_;
  const config::Schema& schema_;
  std::int32_t num_trainers_;
  ReduceBox& reduce_box_;
  std::unique_ptr<sys::DeviceTeam> device_team_;
  std::unique_ptr<model::Network> network_;
  std::unique_ptr<model::DenseOptimizer> optimizer_;
  bool stopped_ = false;         // after the last step
  double exchange_seconds_ = 0;  // of the step under way: waiting for and summing over the trainers
  std::vector<float> embedded_, d_embedded_, logits_, d_logits_;  // reused from step to step
};

}  // namespace persia::train
