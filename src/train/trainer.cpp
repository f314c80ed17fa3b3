#include "train/trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/status_board.hpp"
#include "config/writer.hpp"
#include "roles/agree.hpp"
#include "train/predictions.hpp"
#include "train/read_totals.hpp"
#include "train/result.hpp"

namespace persia::train {

using nlohmann::json;

namespace {

// The first multiple of `every` above `step`; none if every is 0.
std::int64_t next_multiple(std::int64_t step, std::int64_t every) {
  return every == 0 ? std::numeric_limits<std::int64_t>::max() : (step / every + 1) * every;
}

}  // namespace

Trainer::Trainer(const Setting& setting, Engine& engine, Supply& supply, Owners& owners)
    : setting_(setting),
      engine_(engine),
      supply_(supply),
      owners_(owners),
      staleness_(setting.run.training),
      pipeline_({.supply = supply,
                 .compute = engine.compute(),
                 .replica = engine.replica(),
                 .reduce_box = engine.reduce_box(),
                 .mode = setting.run.training.mode,
                 .staleness = staleness_,
                 .timeout_seconds = setting.run.mail.timeout_seconds}),
      step_(setting.first_step()) {
  if (setting.start) position_ = setting.start->manifest.position;
}

json Trainer::run() {
  switch (setting_.options.task) {
    case Task::train:
      return train();
    case Task::evaluate:
      return evaluate_only();
    case Task::predict:
      return predict();
  }
  return nullptr;
}

std::optional<std::int64_t> Trainer::total_steps() const {
  const config::Training& training = setting_.run.training;
  const std::int64_t limit = training.max_steps;
  if (!setting_.survey.complete) return limit > 0 ? std::optional(limit) : std::nullopt;
  const std::int64_t of_data =
      (setting_.survey.rows + training.batch_size - 1) / training.batch_size * training.epochs;
  return limit > 0 ? std::min(limit, of_data) : of_data;
}

bool Trainer::has_test_data() const {
  return !setting_.test_files.empty() || setting_.run.data.format == config::DataFormat::synthetic;
}

Step Trainer::next_stop() const {
  const config::RunFile& run = setting_.run;
  const std::int64_t limit =
      run.training.max_steps > 0 ? run.training.max_steps : std::numeric_limits<std::int64_t>::max();
  return Step(std::min({limit, next_multiple(step_.value(), run.checkpoint.every_steps),
                        next_multiple(step_.value(), run.training.evaluate_every_steps)}));
}

void Trainer::look_at(const Flight& flight) {
  const data::Batch& batch = flight.input.batch;
  // A batch may have overtaken earlier ones; when the training pauses, none is missing.
  position_ = std::max(position_, {.epoch = batch.epoch, .batch_in_epoch = batch.batch_in_epoch + 1});
  log_->step(flight, batch.global_rows);
  const std::string why = staleness_.add(flight.totals);
  if (!why.empty())
    log_->event("staleness",
                {{"step", flight.step.value() + 1}, {"bound", staleness_.bound()}, {"why", why}});
  if (flight.step.value() + 1 == setting_.options.warm_up_steps) log_->restart();
  if (std::isfinite(flight.totals.loss_sum)) return;
  const UserError error(fmt::format(
      "the loss is not finite at step {} (epoch {}, batch {}): lower training.optimizer.learning_rate or "
      "embedding.optimizer.learning_rate, and look for columns with large values (standardise them)",
      flight.step.value(), batch.epoch, batch.batch_in_epoch));
  // In async mode totals are this trainer's own, and the others go on.
  if (setting_.run.training.mode == config::Mode::async) throw error;
  throw StoppedTraining{std::make_exception_ptr(error)};
}

void Trainer::train_until(BatchPass& pass, Step stop) {
  std::optional<StoppedTraining> stopped;
  try {
    step_ = pipeline_.run_training(pass, step_, stop, [&](const Flight& flight) { look_at(flight); });
  } catch (const StoppedTraining& together) {
    stopped = together;
  }
  // All trainers are here, or none: see Pipeline::run_training. The last gradients of this one are applied;
  // evaluations and checkpoints need those of the others too.
  if (!stopped) return setting_.teams.trainers.barrier();
  roles::agree(setting_.teams.trainers, [&] {
    if (!stopped->error) throw roles::StoppedTogether{};
    std::rethrow_exception(stopped->error);
  });
}

json Trainer::train() {
  log_ = std::make_unique<TrainingLog>(setting_.run, setting_.keeps_records(), step_.value(), total_steps());
  try {
    json result = train_to_the_end();
    log_->finish("ok", result);
    return result;
  } catch (...) {
    log_->finish("failed", {{"message", message_of(std::current_exception())}});
    throw;
  }
}

json Trainer::train_to_the_end() {
  const config::RunFile& run = setting_.run;
  const std::unique_ptr<BatchPass> pass = supply_.open(table::Purpose::train, position_);
  const bool measure_only = setting_.options.measure_only;
  const bool has_test = !measure_only && has_test_data();
  const auto is_due = [&](std::int64_t every) { return every > 0 && step_.value() % every == 0; };
  metrics::Quality quality;
  Step evaluated(-1), saved = setting_.start ? step_ : Step(-1);

  for (bool more = true; more;) {
    const Step stop = next_stop();
    train_until(*pass, stop);
    more = step_ == stop && step_.value() != run.training.max_steps;
    if (!more) require_rows(setting_, pass->counts());
    log_->pause();
    if (has_test && evaluated != step_ && (is_due(run.training.evaluate_every_steps) || !more)) {
      quality = evaluate();
      evaluated = step_;
    }
    if (!measure_only && saved != step_ &&
        (is_due(run.checkpoint.every_steps) || (!more && run.checkpoint.at_end))) {
      save();
      saved = step_;
    }
    log_->resume();
  }

  json result = training_result(pass->counts());
  if (has_test && setting_.leads()) result.update(to_json(quality));
  return result;
}

json Trainer::training_result(const data::ReadCounts& counts) {
  json result = result_base(sum_over(setting_.teams.trainers, counts));
  const json wire = wire_totals();
  if (!setting_.leads()) return nullptr;
  if (setting_.teams.world.size() > 1) result["wire"] = wire;
  if (setting_.start && step_ == setting_.first_step()) {
    log::warn(
        "{} is the end of this training: nothing was left to do; raise training.epochs or max_steps to go on",
        setting_.start->folder.string());
    last_checkpoint_ = setting_.start->folder;
  }
  result.update(log_->summary());
  if (setting_.run.training.mode != config::Mode::sync) result["staleness"]["bound"] = staleness_.bound();
  if (!last_checkpoint_.empty()) result["checkpoint"] = last_checkpoint_.string();
  return result;
}

void Trainer::for_each_test_batch(BatchPass& pass, const std::function<void(const Flight&)>& visit) {
  roles::agree(setting_.teams.trainers, [&] {
    try {
      pipeline_.run_evaluation(pass, step_, visit);
    } catch (const StoppedTraining& stopped) {
      std::rethrow_exception(stopped.error);
    }
  });
}

metrics::Quality Trainer::evaluate() {
  const status::Phase phase("evaluating the model of step {}", step_.value());
  metrics::QualityMeter meter;
  const std::unique_ptr<BatchPass> pass = supply_.open(table::Purpose::evaluate, {});
  for_each_test_batch(*pass,
                      [&](const Flight& flight) { meter.add(flight.logits, flight.input.batch.labels); });
  const metrics::Quality quality = meter.reduce(setting_.teams.trainers);
  test_counts_ = sum_over(setting_.teams.trainers, pass->counts());
  if (!setting_.leads()) return quality;
  if (log_) {
    json fields = to_json(quality);
    fields["step"] = step_.value();
    log_->event("evaluation", std::move(fields));
  }
  if (!quality.auc) log::warn("no AUC: {}", quality.auc_reason);
  if (quality.constant_predictions || quality.saturated_predictions)
    log::warn(
        "all predictions are {}: the model did not learn; look at the scale of dense columns and the "
        "learning rates",
        quality.constant_predictions ? "equal" : "0 or 1");
  return quality;
}

void Trainer::save() {
  const status::Phase phase("saving the checkpoint of step {}", step_.value());
  const Setting& setting = setting_;
  roles::agree(setting_.teams.trainers, [&] {
    if (!setting.leads()) return;
    const Stopwatch watch;
    const std::filesystem::path folder = checkpoint::begin_save(setting.checkpoint_folder(), step_);
    checkpoint::Manifest manifest{.step = step_,
                                  .position = position_,
                                  .statistics = setting.survey.statistics,
                                  .created = utc_timestamp_micros(),
                                  .run_file = config::resolved_text(setting.run),
                                  .num_owners = setting.teams.num_owners,
                                  .files = owners_.save(folder, step_)};
    engine_.compute().call([&] {
      manifest.files.push_back(
          checkpoint::save_dense(folder, step_, engine_.replica().network(), engine_.replica().optimizer()));
    });
    last_checkpoint_ = checkpoint::finish_save(folder, manifest, setting.run.checkpoint.keep);
    log_->event("checkpoint",
                {{"step", step_.value()}, {"path", last_checkpoint_.string()}, {"seconds", watch.seconds()}});
    log::debug("checkpoint {} written in {:.2f} s", last_checkpoint_.string(), watch.seconds());
  });
}

json Trainer::evaluate_only() {
  const Stopwatch watch;
  const metrics::Quality quality = evaluate();
  json result = result_base(test_counts_);
  if (!setting_.leads()) return nullptr;
  result.update(to_json(quality));
  result["seconds"] = watch.seconds();
  result["samples_per_s"] = static_cast<double>(quality.rows) / std::max(1e-9, watch.seconds());
  result["checkpoint"] = setting_.start->folder.string();
  return result;
}

json Trainer::predict() {
  const status::Phase phase("predicting");
  const Stopwatch watch;
  roles::agree(setting_.teams.trainers, [&] {
    if (setting_.leads()) Predictions::check_output(setting_.options.output);
  });
  const std::unique_ptr<BatchPass> pass = supply_.open(table::Purpose::evaluate, {});
  Predictions predictions;
  for_each_test_batch(
      *pass, [&](const Flight& flight) { predictions.add(flight.input.batch.row_numbers, flight.logits); });
  predictions.gather(setting_.teams.trainers);
  roles::agree(setting_.teams.trainers, [&] {
    if (setting_.leads()) predictions.write(setting_.options.output);
  });
  json result = result_base(sum_over(setting_.teams.trainers, pass->counts()));
  if (!setting_.leads()) return nullptr;
  result["rows"] = predictions.size();
  result["output"] = setting_.options.output.string();
  result["seconds"] = watch.seconds();
  return result;
}

// Of all trainers and workers. The total is trainer 0's.
json Trainer::wire_totals() const {
  const embed::WireBytes own = supply_.wire_bytes();
  std::array sums{own.raw, own.sent, own.dropped_residuals};
  setting_.teams.trainers.sum(std::span<std::int64_t>(sums));
  for (const json& report : worker_reports_) {
    sums[0] += report.at("raw_bytes").get<std::int64_t>();
    sums[1] += report.at("sent_bytes").get<std::int64_t>();
    sums[2] += report.at("dropped_residuals").get<std::int64_t>();
  }
  json totals{{"raw_bytes", sums[0]}, {"sent_bytes", sums[1]}};
  if (setting_.run.mail.values == config::MailValues::int8) totals["dropped_residuals"] = sums[2];
  return totals;
}

json Trainer::result_base(const data::ReadCounts& counts) {
  if (!setting_.leads()) return nullptr;
  const roles::Teams& teams = setting_.teams;
  const json statistics = owners_.statistics();
  json result = {{"step", step_.value()},
                 {"ranks",
                  {{"embedding", teams.world.size() == 1 ? 0 : teams.num_owners},
                   {"worker", teams.num_workers},
                   {"trainer", teams.num_trainers}}},
                 {"read", to_json(counts)},
                 {"tables", table_totals(statistics)}};
  worker_reports_ = supply_.worker_reports(setting_.run.mail.timeout_seconds);
  if (!worker_reports_.empty()) result["workers"] = worker_shares(worker_reports_);
  const json loads = loads_of(statistics);
  if (loads.empty()) return result;
  result["owners"] = load_spread(loads);
  if (log_) log_->event("owners", {{"loads", loads}});
  if (const json others = others_updates(statistics); !others.is_null()) result["others_updates"] = others;
  return result;
}

}  // namespace persia::train
