#include "train/staleness_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace persia::train {

namespace {

constexpr std::int32_t kIntervalSteps = 16;
constexpr double kWaits = 0.05, kBusy = 0.02;  // shares of time spent waiting for rows
constexpr double kHelped = 0.9;                // of the waiting that was there before
constexpr std::int32_t kMostPatience = 64;     // intervals
constexpr std::int64_t kGuardSteps = 32;
constexpr std::int64_t kFirstSearchSteps = 256, kSearchSteps = 1024;

}  // namespace

void StalenessControl::Losses::add(double loss) {
  ++steps_;
  sum_ += loss;
  sum_of_squares_ += loss * loss;
}

double StalenessControl::Losses::mean() const {
  return sum_ / static_cast<double>(std::max<std::int64_t>(1, steps_));
}

double StalenessControl::Losses::squared_error() const {
  if (steps_ < 2) return 0;
  const auto n = static_cast<double>(steps_);
  return std::max(0.0, sum_of_squares_ / n - mean() * mean()) / (n - 1);
}

StalenessControl::StalenessControl(const config::Training& training)
    : bound_(training.staleness.automatic ? std::min(training.staleness.bound, training.staleness_max)
                                          : training.staleness.bound - training.reuse_steps),
      cap_(training.staleness_max),
      most_(training.staleness_max),
      margin_(training.staleness_margin),
      automatic_(training.staleness.automatic),
      search_steps_(kFirstSearchSteps) {}

std::int32_t StalenessControl::bound() const {
  return stretch_ == Stretch::without ? 0 : bound_;
}

std::string StalenessControl::add(const StepTotals& totals) {
  if (!automatic_) return "";
  if (skip_ > 0) {
    --skip_;
    return "";
  }
  return stretch_ == Stretch::search ? search(totals) : guard(totals);
}

std::string StalenessControl::search(const StepTotals& totals) {
  if (++steps_in_stretch_ > search_steps_ && bound_ > 0 && trial_ == Trial::none) {
    enter(Stretch::before);
    return "";
  }
  waited_ += totals.waited_seconds;
  worked_ += totals.worked_seconds;
  if (++interval_steps_ < kIntervalSteps) return "";
  const double share = waited_ / std::max(1e-12, waited_ + worked_);
  begin_interval();
  return end_interval(share);
}

void StalenessControl::begin_interval() {
  interval_steps_ = 0;
  waited_ = worked_ = 0;
}

std::string StalenessControl::end_interval(double waited) {
  const std::int32_t before = bound_;
  const Trial trial = std::exchange(trial_, Trial::none);
  const bool failed = (trial == Trial::raised && waited > kHelped * old_waited_) ||
                      (trial == Trial::lowered && waited > kBusy);
  if (failed)
    take_back();
  else if (patience_ > 0)
    --patience_;
  else if (waited > kWaits && bound_ < cap_)
    try_bound(std::clamp(2 * bound_, 1, cap_), Trial::raised, waited);
  else if (waited < kBusy && bound_ > 0)
    try_bound(bound_ - 1, Trial::lowered, waited);
  if (bound_ == before) return "";
  return fmt::format("{:.1f} % of the time went into waiting for rows", 100 * waited);
}

void StalenessControl::try_bound(std::int32_t bound, Trial trial, double waited) {
  trial_ = trial;
  old_bound_ = bound_;
  old_waited_ = waited;
  skip_ = std::max(bound_, bound) + 1;
  bound_ = bound;
}

void StalenessControl::take_back() {
  skip_ = std::max(bound_, old_bound_) + 1;
  bound_ = old_bound_;
  patience_ = next_patience_;
  next_patience_ = std::min(2 * next_patience_, kMostPatience);
}

void StalenessControl::enter(Stretch stretch) {
  stretch_ = stretch;
  steps_in_stretch_ = 0;
  skip_ = stretch == Stretch::before ? 0 : bound_ + 1;
}

std::string StalenessControl::guard(const StepTotals& totals) {
  Losses& losses = stretch_ == Stretch::without ? without_ : with_;
  losses.add(totals.loss_sum / std::max(1.0, totals.rows));
  if (++steps_in_stretch_ < kGuardSteps) return "";
  if (stretch_ == Stretch::before) {
    enter(Stretch::without);
  } else if (stretch_ == Stretch::without) {
    enter(Stretch::after);
  } else {
    return judge();
  }
  return "";
}

std::string StalenessControl::judge() {
  const double excess = with_.mean() - without_.mean();
  const double error = std::sqrt(with_.squared_error() + without_.squared_error());
  const bool costs = excess > margin_ && excess > 2 * error;
  with_ = without_ = {};
  enter(Stretch::search);
  search_steps_ = kSearchSteps;
  begin_interval();
  if (!costs) {
    cap_ = std::min(cap_ + 1, most_);
    return "";
  }
  cap_ = bound_ / 2;
  bound_ = cap_;
  return fmt::format("the training loss was higher by {:.5f} (+- {:.5f}) than without staleness", excess,
                     error);
}

}  // namespace persia::train
