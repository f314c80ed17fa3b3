#include "train/dense_replica.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "embed/pooling.hpp"
#include "model/memory.hpp"

namespace persia::train {

DenseReplica::DenseReplica(const config::RunFile& run, const config::Schema& schema,
                           std::int32_t num_trainers, ReduceBox& reduce_box,
                           std::unique_ptr<sys::DeviceTeam> device_team)
    : training_(run.training),
      schema_(schema),
      num_trainers_(num_trainers),
      reduce_box_(reduce_box),
      device_team_(std::move(device_team)),
      network_(model::make_network(run.model, schema, run.seed)),
      optimizer_(model::make_dense_optimizer(run.training.optimizer,
                                             static_cast<std::int64_t>(network_->parameters().size()))) {}

void DenseReplica::train_step(Flight& flight, double idle_since) {
  if (stopped_) return;
  const data::Batch& batch = flight.input.batch;
  const double begin = now_seconds();
  flight.times.read = std::clamp(flight.read_at - idle_since, 0.0, std::max(0.0, begin - idle_since));
  flight.times.lookup_wait = std::max(0.0, begin - idle_since - flight.times.read);

  const auto n = static_cast<std::size_t>(batch.num_samples);
  const auto width = static_cast<std::size_t>(schema_.embedded_width);
  std::vector<float>& d_embedded = flight.comes_pooled ? flight.d_embedded : d_embedded_;
  d_embedded.resize(n * width);
  logits_.resize(n);
  d_logits_.resize(n);
  const model::Input input{
      .num_samples = batch.num_samples, .dense = batch.dense, .embedded = embedded_of(flight)};
  network_->forward(input, logits_);
  StepTotals totals{.loss_sum = model::binary_cross_entropy(logits_, batch.labels, d_logits_),
                    .rows = static_cast<double>(batch.num_samples)};
  network_->backward(input, d_logits_, d_embedded);
  if (!flight.comes_pooled) {
    flight.row_gradients.resize(static_cast<std::size_t>(flight.input.plan.num_floats));
    embed::combine(batch, flight.input.plan, schema_, d_embedded,
                   1.0F / static_cast<float>(batch.global_rows), flight.row_gradients);
  }
  flight.stage.store(Flight::Stage::gradients_ready, std::memory_order_release);

  exchange_seconds_ = 0;
  totals.waited_seconds = flight.times.lookup_wait;
  totals.worked_seconds = now_seconds() - begin;
  flight.totals = exchange(flight.step, totals, batch.num_samples, batch.global_rows);
  stopped_ = flight.totals.failed > 0 || !std::isfinite(flight.totals.loss_sum);
  flight.times.all_reduce = exchange_seconds_;
  flight.times.compute = now_seconds() - begin - exchange_seconds_;
  flight.stage.store(Flight::Stage::done, std::memory_order_release);
}

std::span<const float> DenseReplica::embedded_of(const Flight& flight) {
  if (flight.comes_pooled) return flight.embedded;
  const data::Batch& batch = flight.input.batch;
  embedded_.resize(static_cast<std::size_t>(batch.num_samples) *
                   static_cast<std::size_t>(schema_.embedded_width));
  embed::pool(batch, flight.input.plan, schema_, flight.rows, embedded_);
  return embedded_;
}

void DenseReplica::failed_step(Step step) {
  if (num_trainers_ == 1) return;
  std::vector<float> zeros(network_->gradients().size(), 0.0F);
  model::copy_from_host(zeros, network_->gradients());
  StepTotals failed{.failed = 1};
  if (training_.mode != config::Mode::async) {
    (void)exchange(step, failed, 0, 1);
    return;
  }
  std::array<double, 6> totals{0, 0, 1, 0, 0, 0};
  average_parameters(totals);
}

StepTotals DenseReplica::average_now() {
  std::array<double, 6> totals{};
  average_parameters(totals);
  return {.failed = totals[2]};
}

void DenseReplica::evaluate_step(Flight& flight) {
  const data::Batch& batch = flight.input.batch;
  const auto n = static_cast<std::size_t>(batch.num_samples);
  flight.logits.resize(n);
  network_->forward({.num_samples = batch.num_samples, .dense = batch.dense, .embedded = embedded_of(flight)},
                    flight.logits);
  flight.stage.store(Flight::Stage::done, std::memory_order_release);
}

StepTotals DenseReplica::exchange(Step step, StepTotals totals, std::int64_t own_rows,
                                  std::int64_t global_rows) {
  // Workers may give trainers parts of different global batches in one step: all divide by the mean of their
  // sizes.
  std::array<double, 6> sums{totals.loss_sum,       totals.rows,           totals.failed,
                             totals.waited_seconds, totals.worked_seconds, static_cast<double>(global_rows)};
  if (training_.mode != config::Mode::async) {
    sum_over_trainers(network_->gradients(), sums);
    const double mean_rows = sums[5] / num_trainers_;
    optimizer_->apply(network_->parameters(), network_->gradients(), 1.0F / static_cast<float>(mean_rows),
                      step);
  } else {
    if (own_rows > 0)
      optimizer_->apply(network_->parameters(), network_->gradients(), 1.0F / static_cast<float>(own_rows),
                        step);
    // What is averaged is reported; the steps between report this trainer's own numbers.
    if ((step.value() + 1) % training_.average_every == 0) average_parameters(sums);
  }
  return {.loss_sum = sums[0],
          .rows = sums[1],
          .failed = sums[2],
          .waited_seconds = sums[3],
          .worked_seconds = sums[4]};
}

void DenseReplica::average_parameters(std::span<double> totals) {
  if (num_trainers_ == 1) return;
  // Through the host: averages are rare, and the buffer of gradients is free at this moment.
  std::vector<float> parameters(network_->parameters().size());
  model::copy_to_host(network_->parameters(), parameters);
  const Stopwatch watch;
  reduce_box_.sum(parameters, totals);
  exchange_seconds_ += watch.seconds();
  for (float& value : parameters) value /= static_cast<float>(num_trainers_);
  model::copy_from_host(parameters, network_->parameters());
}

void DenseReplica::sum_over_trainers(std::span<float> values, std::span<double> totals) {
  if (num_trainers_ == 1) return;
  const Stopwatch watch;
  if (device_team_) {
    device_team_->sum(values);
    reduce_box_.sum({}, totals);
  } else {
    reduce_box_.sum(values, totals);
  }
  exchange_seconds_ += watch.seconds();
}

}  // namespace persia::train
