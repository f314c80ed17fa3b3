// How many gradients a trainer may have under way: training.staleness less training.reuse_steps, or what
// `auto` finds.
//
// auto does two things, both from sums over the trainers, so that all of them find the same bound at the same
// step (async mode: from this trainer's own, and each finds its own):
//   - the search: intervals of 16 steps. While the compute threads wait for rows, the bound is doubled, up to
//     the cap; what did not help is taken back. While they do not wait, it is lowered by one; what made
//     them wait is taken back. After a step that was taken back the next try comes later and later.
//   - the guard: now and then 32 steps at bound 0 between two stretches of 32 steps at the bound found. If
//   the
//     loss of those two is higher by more than `margin`, and by two standard errors, the cap is halved;
//     otherwise it rises by one towards staleness_max.
// Not thread safe: the communication thread.
#pragma once

#include <cstdint>
#include <string>

#include "config/run_file.hpp"
#include "train/flight.hpp"

namespace persia::train {

class StalenessControl {
 public:
  explicit StalenessControl(const config::Training& training);

  // Gradients that may be under way when a look-up starts.
  [[nodiscard]] std::int32_t bound() const;
  // The next finished step. What it changed, for the log; "" if nothing.
  std::string add(const StepTotals& totals);

 private:
  class Losses {  // mean of a stretch of steps
   public:
    void add(double loss);
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] double mean() const;
    [[nodiscard]] double squared_error() const;  // of the mean

   private:
    std::int64_t steps_ = 0;
    double sum_ = 0, sum_of_squares_ = 0;
  };
  enum class Trial { none, raised, lowered };
  enum class Stretch { search, before, without, after };

  std::string search(const StepTotals& totals);
  void begin_interval();
  std::string end_interval(double waited);
  void try_bound(std::int32_t bound, Trial trial, double waited);
  void take_back();
  std::string guard(const StepTotals& totals);
  std::string judge();
  void enter(Stretch stretch);

  std::int32_t bound_;
  std::int32_t cap_;
  std::int32_t most_;
  double margin_;
  bool automatic_;

  Stretch stretch_ = Stretch::search;
  std::int64_t steps_in_stretch_ = 0;
  std::int64_t search_steps_;  // of the next search stretch
  std::int32_t skip_ = 0;      // steps that were under way at the last change
  Losses with_, without_;

  Trial trial_ = Trial::none;
  std::int32_t old_bound_ = 0;
  double old_waited_ = 0;
  std::int32_t interval_steps_ = 0;
  double waited_ = 0, worked_ = 0;  // seconds of the interval
  std::int32_t patience_ = 0, next_patience_ = 2;
};

}  // namespace persia::train
