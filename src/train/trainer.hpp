// What a trainer rank does, and a single process too: trains, evaluates, saves, predicts, over an
// EmbeddingSource.
//
// Built by the communication thread (main), which also makes all calls. "Collective" = all trainers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "data/batch.hpp"
#include "metrics/metrics.hpp"
#include "train/engine.hpp"
#include "train/owners.hpp"
#include "train/pipeline.hpp"
#include "train/setting.hpp"
#include "train/staleness_control.hpp"
#include "train/supply.hpp"
#include "train/training_log.hpp"

namespace persia::train {

class Trainer {
 public:
  // All three must outlive it.
  Trainer(const Setting& setting, Engine& engine, Supply& supply, Owners& owners);

  // The task. The result object on trainer 0, null on the others. Throws roles::StoppedTogether on every
  // trainer, or Error on one that the others know nothing of. Collective.
  [[nodiscard]] nlohmann::json run();

 private:
  [[nodiscard]] nlohmann::json train();
  [[nodiscard]] nlohmann::json train_to_the_end();
  [[nodiscard]] nlohmann::json evaluate_only();
  [[nodiscard]] nlohmann::json predict();

  void train_until(BatchPass& pass, Step stop);
  void look_at(const Flight& flight);
  [[nodiscard]] metrics::Quality evaluate();  // over the test data
  void for_each_test_batch(BatchPass& pass, const std::function<void(const Flight&)>& visit);
  void save();

  [[nodiscard]] bool has_test_data() const;
  [[nodiscard]] Step next_stop() const;
  [[nodiscard]] std::optional<std::int64_t> total_steps() const;
  [[nodiscard]] nlohmann::json wire_totals() const;  // Pre: result_base(). Collective
  [[nodiscard]] nlohmann::json training_result(const data::ReadCounts& counts);
  [[nodiscard]] nlohmann::json result_base(const data::ReadCounts& counts);

  const Setting& setting_;
  Engine& engine_;
  Supply& supply_;
  Owners& owners_;
  StalenessControl staleness_;
  Pipeline pipeline_;
  std::unique_ptr<TrainingLog> log_;
  Step step_;                                                // next step
  data::Position position_;                                  // next batch
  nlohmann::json worker_reports_ = nlohmann::json::array();  // trainer 0's, once the result is made
  data::ReadCounts test_counts_;                             // of the last evaluation, all trainers
  std::filesystem::path last_checkpoint_;
};

}  // namespace persia::train
