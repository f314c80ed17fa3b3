#include "train/training_log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/learning_rate.hpp"

namespace persia::train {

using nlohmann::json;

void TrainingLog::Sums::add(const Flight& flight, std::int64_t rows) {
  ++steps;
  global_rows += rows;
  totals.loss_sum += flight.totals.loss_sum;
  totals.rows += flight.totals.rows;
  times += flight.times;
  const auto missing = static_cast<std::size_t>(flight.staleness);
  if (missing >= steps_by_staleness.size()) steps_by_staleness.resize(missing + 1);
  ++steps_by_staleness[missing];
}

double TrainingLog::Sums::mean_staleness() const {
  double sum = 0;
  for (std::size_t missing = 0; missing < steps_by_staleness.size(); ++missing)
    sum += static_cast<double>(missing) * static_cast<double>(steps_by_staleness[missing]);
  return sum / static_cast<double>(std::max<std::int64_t>(1, steps));
}

std::int64_t TrainingLog::Sums::max_staleness() const {
  return std::max<std::int64_t>(0, std::ssize(steps_by_staleness) - 1);
}

TrainingLog::TrainingLog(const config::RunFile& run, bool speaks, std::int64_t first_step,
                         std::optional<std::int64_t> total_steps)
    : run_(run), speaks_(speaks), total_steps_(total_steps) {
  log_ = std::make_unique<observe::RunLog>(speaks ? path_of(run) : std::filesystem::path());
  if (speaks) progress_ = std::make_unique<observe::Progress>();
  log_->write("start", {{"name", run.name}, {"first_step", first_step}, {"seed", run.seed}});
}

std::filesystem::path TrainingLog::path_of(const config::RunFile& run) {
  return std::filesystem::path(run.output) / "log.jsonl";
}

double TrainingLog::train_seconds() const {
  return watch_.seconds() - paused_seconds_;
}

void TrainingLog::step(const Flight& flight, std::int64_t global_rows) {
  interval_.add(flight, global_rows);
  all_.add(flight, global_rows);
  if (progress_) {
    const double rate = static_cast<double>(all_.global_rows) / std::max(1e-9, train_seconds());
    const std::int64_t done = flight.step.value() + 1;
    observe::ProgressState state{.step = done,
                                 .total_steps = total_steps_,
                                 .samples_per_s = rate,
                                 .loss = interval_.totals.loss_sum / std::max(1.0, interval_.totals.rows),
                                 .staleness = static_cast<double>(flight.staleness),
                                 .eta_seconds = {}};
    if (total_steps_)
      state.eta_seconds =
          static_cast<double>(*total_steps_ - done) * train_seconds() / static_cast<double>(all_.steps);
    progress_->show(state);
  }
  if (interval_.steps >= run_.log_every_steps) close_interval(flight.step.value());
}

void TrainingLog::close_interval(std::int64_t step) {
  const double seconds = train_seconds() - interval_began_;
  last_loss_ = interval_.totals.loss_sum / std::max(1.0, interval_.totals.rows);
  log_->write("interval",
              {{"step", step + 1},
               {"loss", last_loss_},
               {"learning_rate", config::rate_at(run_.training.optimizer, Step(step))},
               {"samples_per_s", static_cast<double>(interval_.global_rows) / std::max(1e-9, seconds)},
               {"staleness", interval_.mean_staleness()},
               {"staleness_max", interval_.max_staleness()},
               {"time_share", time_share(interval_.times)}});
  interval_ = {};
  interval_began_ = train_seconds();
}

void TrainingLog::event(const std::string& name, json fields) {
  log_->write(name, std::move(fields));
}
void TrainingLog::finish(const std::string& status, json fields) {
  progress_.reset();
  log_->finish(status, std::move(fields));
}

void TrainingLog::restart() {
  interval_ = {};
  all_ = {};
  watch_ = {};
  paused_seconds_ = paused_at_ = interval_began_ = 0;
}

void TrainingLog::pause() {
  paused_at_ = watch_.seconds();
}
void TrainingLog::resume() {
  paused_seconds_ += watch_.seconds() - paused_at_;
}

json TrainingLog::summary() const {
  const double seconds = train_seconds();
  const double interval_rows = interval_.totals.rows;
  return {{"steps", all_.steps},
          {"seconds", seconds},
          {"samples_per_s", static_cast<double>(all_.global_rows) / std::max(1e-9, seconds)},
          {"train_loss", all_.steps == 0     ? json(nullptr)
                         : interval_rows > 0 ? json(interval_.totals.loss_sum / interval_rows)
                                             : json(last_loss_)},
          {"staleness",
           {{"mean", all_.mean_staleness()},
            {"max", all_.max_staleness()},
            {"histogram", all_.steps_by_staleness}}},
          {"time_share", time_share(all_.times)}};
}

json to_json(const metrics::Quality& quality) {
  json object{
      {"rows", quality.rows}, {"positives", quality.positives}, {"mean_prediction", quality.mean_prediction}};
  object["auc"] = quality.auc ? json(*quality.auc) : json(nullptr);
  if (!quality.auc) object["auc_reason"] = quality.auc_reason;
  object["log_loss"] = quality.log_loss_defined ? json(quality.log_loss) : json(nullptr);
  if (quality.constant_predictions) object["predictions"] = "constant";
  if (quality.saturated_predictions) object["predictions"] = "saturated";
  return object;
}

json time_share(const StepTimes& times) {
  const double sum = times.read + times.lookup_wait + times.compute + times.all_reduce;
  const auto share = [&](double seconds) { return sum > 0 ? seconds / sum : 0.0; };
  return {{"read", share(times.read)},
          {"lookup_wait", share(times.lookup_wait)},
          {"compute", share(times.compute)},
          {"all_reduce", share(times.all_reduce)},
          {"push", share(times.push)}};
}

}  // namespace persia::train
