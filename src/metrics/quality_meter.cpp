#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "metrics/metrics.hpp"
#include "metrics/score_keys.hpp"

namespace persia::metrics {

namespace {

// |logit| above which a probability is below 1e-7 or above 1 - 1e-7: log((1 - 1e-7) / 1e-7).
constexpr float saturated_logit = 16.11809555F;

// Everything about the rows of all ranks except their order.
struct Totals {
  std::int64_t positives = 0, negatives = 0, unusable = 0, unusable_positives = 0, unsaturated = 0;
  double losses = 0, predictions = 0;
  bool constant = false;

  [[nodiscard]] std::int64_t usable() const { return positives + negatives; }
};

// All ranks' keys, ascending, on rank 0. Collective.
std::vector<std::uint32_t> gather_sorted(const sys::Communicator& comm,
                                         const std::vector<std::uint32_t>& keys) {
  std::vector<std::byte> bytes = comm.gather(std::as_bytes(std::span(keys)), 0);
  std::vector<std::uint32_t> all(bytes.size() / sizeof(std::uint32_t));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  bytes = {};
  sort_keys(all);
  return all;
}

// Collective. Rank 0 counts, all get its result. Pre: both classes exist on some rank.
double auc_over_ranks(const sys::Communicator& comm, const std::vector<std::uint32_t>& positives,
                      const std::vector<std::uint32_t>& negatives) {
  const std::vector<std::uint32_t> all_positives = gather_sorted(comm, positives);
  const std::vector<std::uint32_t> all_negatives = gather_sorted(comm, negatives);
  double auc = auc_of_sorted(all_positives, all_negatives).value_or(0);
  comm.broadcast(std::as_writable_bytes(std::span(&auc, 1)), 0);
  return auc;
}

// Collective.
bool all_equal(const sys::Communicator& comm, const std::vector<std::uint32_t>& a,
               const std::vector<std::uint32_t>& b) {
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;
  for (const auto* keys : {&a, &b})
    for (const std::uint32_t key : *keys) {
      low = std::min<std::int64_t>(low, key);
      high = std::max<std::int64_t>(high, key);
    }
  return comm.min(low) == comm.max(high);
}

std::string reason_without_auc(const Totals& totals) {
  if (totals.unusable > 0)
    return fmt::format(
        "{} of {} predictions are not finite; the model has diverged (smaller learning rates "
        "or standardised dense columns help)",
        totals.unusable, totals.usable() + totals.unusable);
  if (totals.usable() == 0) return "no rows";
  return totals.positives == 0 ? "no positive rows" : "no negative rows";
}

}  // namespace

void QualityMeter::add(std::span<const float> logits, std::span<const float> labels) {
  expects(logits.size() == labels.size(), "one label per logit");
  for (std::size_t i = 0; i < logits.size(); ++i) {
    expects(labels[i] == 0.0F || labels[i] == 1.0F, "labels are 0 or 1");
    const bool positive = labels[i] == 1.0F;
    if (std::abs(logits[i]) <= ExactSum::largest_term / 2) {
      add_usable(logits[i], positive);
    } else {
      ++unusable_;
      unusable_positives_ += positive;
    }
  }
}

void QualityMeter::add_usable(float logit, bool positive) {
  (positive ? positives_ : negatives_).push_back(score_key(logit));
  losses_.add(log_loss_of(logit, positive ? 1.0F : 0.0F));
  predictions_.add(probability_of(logit));
  unsaturated_ += std::abs(logit) <= saturated_logit;
}

Quality QualityMeter::reduce(const sys::Communicator& comm) {
  std::vector<std::int64_t> sums = {static_cast<std::int64_t>(positives_.size()),
                                    static_cast<std::int64_t>(negatives_.size()), unusable_,
                                    unusable_positives_, unsaturated_};
  for (const ExactSum& exact : {losses_, predictions_})
    for (const std::int64_t digit : exact.digits()) sums.push_back(digit);
  comm.sum(std::span(sums));
  const auto exact_at = [&](std::size_t i) {
    return ExactSum::from_digits({sums[i], sums[i + 1], sums[i + 2], sums[i + 3]}).value();
  };
  const Totals totals{sums[0], sums[1],     sums[2],     sums[3],
                      sums[4], exact_at(5), exact_at(9), all_equal(comm, positives_, negatives_)};

  Quality quality;
  quality.rows = totals.usable() + totals.unusable;
  quality.positives = totals.positives + totals.unusable_positives;
  quality.unusable_predictions = totals.unusable;
  quality.log_loss_defined = totals.usable() > 0 && totals.unusable == 0;
  const auto rows = static_cast<double>(totals.usable());
  if (quality.log_loss_defined) quality.log_loss = totals.losses / rows;
  if (totals.usable() > 0) quality.mean_prediction = totals.predictions / rows;
  quality.constant_predictions = totals.usable() > 1 && totals.constant;
  quality.saturated_predictions = totals.usable() > 0 && totals.unsaturated == 0;
  if (totals.unusable == 0 && totals.positives > 0 && totals.negatives > 0)
    quality.auc = auc_over_ranks(comm, positives_, negatives_);
  else
    quality.auc_reason = reason_without_auc(totals);
  *this = QualityMeter();
  return quality;
}

}  // namespace persia::metrics
