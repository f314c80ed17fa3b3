// Exact AUC and LogLoss over all rows of all ranks. The same bits for every number of ranks and every order
// of rows.
//
// AUC = P(score of a positive > score of a negative) + half of the ties; undefined (nullopt + reason) if one
// class is absent. LogLoss = mean of log(1 + exp(-(2 y - 1) logit)), from logits, never clipped; summed in
// 128-bit fixed point.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sys/communicator.hpp"

namespace persia::metrics {

struct Quality {
  std::int64_t rows = 0;
  std::int64_t positives = 0;
  std::optional<double> auc;
  std::string auc_reason;  // why auc is absent, "" otherwise
  double log_loss = 0;     // 0 rows: NaN is never given; log_loss_defined says
  bool log_loss_defined = false;
  double mean_prediction = 0;
  bool constant_predictions = false;   // all scores equal
  bool saturated_predictions = false;  // all probabilities below 1e-7 or above 1 - 1e-7
};

// log(1 + exp(-z)) for y = 1, log(1 + exp(z)) for y = 0, without overflow. gradient = sigmoid(z) - y.
[[nodiscard]] double log_loss_of(double logit, float label);

// Collects (logit, label) pairs, then reduces. Memory: 8 bytes per row on each rank, all rows on rank 0 at
// the end.
class QualityMeter {
 public:
  void add(std::span<const float> logits, std::span<const float> labels);
  // Collective over `comm`. All ranks get the same result. The meter is empty afterwards.
  [[nodiscard]] Quality reduce(const sys::Communicator& comm);

 private:
  std::vector<float> logits_;
  std::vector<float> labels_;
};

// AUC of arrays in one process (used by reduce() on rank 0, the generator's teacher and tests). Sorts copies.
[[nodiscard]] std::optional<double> exact_auc(std::span<const float> scores, std::span<const float> labels);

}  // namespace persia::metrics
