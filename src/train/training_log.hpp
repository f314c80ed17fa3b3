// What one sees of a training: progress line, run log intervals, and the sums behind the final result.
// Trainer 0's; the other trainers have a silent one.
//
// Not thread safe: the communication thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "config/run_file.hpp"
#include "metrics/metrics.hpp"
#include "observe/progress.hpp"
#include "observe/run_log.hpp"
#include "train/flight.hpp"

namespace persia::train {

class TrainingLog {
 public:
  // `total_steps`: where the training will end, if that is known.
  TrainingLog(const config::RunFile& run, bool speaks, std::int64_t first_step,
              std::optional<std::int64_t> total_steps);

  [[nodiscard]] static std::filesystem::path path_of(const config::RunFile& run);

  // One finished step; `global_rows` rows over all trainers.
  void step(const Flight& flight, std::int64_t global_rows);
  void event(const std::string& name, nlohmann::json fields);
  void finish(const std::string& status, nlohmann::json fields);
  // Forgets what was summed so far: the end of a warm-up.
  void restart();
  // Time that is no training (evaluation, checkpoints) is left out of rates: call around it.
  void pause();
  void resume();

  // samples_per_s, steps, seconds, train_loss (of the last interval, null without a step), staleness {...},
  // time_share {...}.
  [[nodiscard]] nlohmann::json summary() const;

 private:
  struct Sums {
    std::int64_t steps = 0;
    std::int64_t global_rows = 0;
    StepTotals totals;
    StepTimes times;
    std::vector<std::int64_t> steps_by_staleness;  // [own updates missing]
    void add(const Flight& flight, std::int64_t rows);
    [[nodiscard]] double mean_staleness() const;
    [[nodiscard]] std::int64_t max_staleness() const;
  };
  [[nodiscard]] double train_seconds() const;
  void close_interval(std::int64_t step);

  const config::RunFile& run_;
  bool speaks_;
  std::optional<std::int64_t> total_steps_;
  std::unique_ptr<observe::RunLog> log_;
  std::unique_ptr<observe::Progress> progress_;
  Sums interval_, all_;
  double last_loss_ = 0;
  Stopwatch watch_;
  double paused_seconds_ = 0;
  double paused_at_ = 0;
  double interval_began_ = 0;
};

[[nodiscard]] nlohmann::json to_json(const metrics::Quality& quality);
[[nodiscard]] nlohmann::json time_share(const StepTimes& times);

}  // namespace persia::train
