// Exact AUC and LogLoss over all rows of all ranks. The same bits for every number of ranks and every order
// of rows.
//
// AUC = P(score of a positive > score of a negative) + half of the ties; undefined (nullopt + reason) if one
// class is absent. LogLoss = mean of log(1 + exp(-(2 y - 1) logit)), from logits, never clipped. Sums over
// rows are integers (exact_sum.hpp), AUC counts pairs in integers (score_keys.hpp). Predictions that are NaN
// or infinite, or whose logit is beyond 2^39, make both undefined; the reason counts them.
// Thread safety: none. Callers: train/ (evaluation), data/ (the generator's teacher), commands/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/exact_sum.hpp"
#include "sys/communicator.hpp"

namespace persia::metrics {

struct Quality {
  std::int64_t rows = 0;
  std::int64_t positives = 0;
  std::int64_t unusable_predictions = 0;  // not finite, or beyond 2^39
  std::optional<double> auc;
  std::string auc_reason;              // why auc is absent, "" otherwise
  double log_loss = 0;                 // 0 where undefined: NaN is never given
  bool log_loss_defined = false;       // not without rows or with unusable predictions
  double mean_prediction = 0;          // of the usable ones; 0 without any
  bool constant_predictions = false;   // all scores equal; two rows at least
  bool saturated_predictions = false;  // all probabilities below 1e-7 or above 1 - 1e-7
};

// log(1 + exp(-z)) for y = 1, log(1 + exp(z)) for y = 0, without overflow.
[[nodiscard]] double log_loss_of(double logit, float label);

// 1 / (1 + exp(-z)) without overflow.
[[nodiscard]] double probability_of(double logit);

// Collects (logit, label) pairs, then reduces. Memory: 4 bytes per row on each rank; 12 bytes per row of all
// ranks on rank 0 while it counts.
class QualityMeter {
 public:
  // Shapes equal. Pre: labels are 0 or 1.
  void add(std::span<const float> logits, std::span<const float> labels);
  // Collective over `comm`. All ranks get the same result. The meter is empty afterwards.
  [[nodiscard]] Quality reduce(const sys::Communicator& comm);

 private:
  void add_usable(float logit, bool positive);

  std::vector<std::uint32_t> positives_, negatives_;  // score keys of usable predictions
  ExactSum losses_, predictions_;
  std::int64_t unusable_ = 0, unusable_positives_ = 0, unsaturated_ = 0;
};

// AUC of arrays in one process. Pre: no NaN, labels 0 or 1.
[[nodiscard]] std::optional<double> exact_auc(std::span<const float> scores, std::span<const float> labels);

}  // namespace persia::metrics
