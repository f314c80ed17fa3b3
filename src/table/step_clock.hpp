// Which step it was some time ago, so that rows which remember steps can grow old in seconds.
//
// Remembers a step for each 64th of the age, so that rows live up to that much longer. Pauses do not count.
// What was before the first note() is unknown: nothing is too old before one age has passed. Not thread safe.
// Caller: eviction.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include "base/strong.hpp"

namespace persia::table {

class StepClock {
 public:
  // Pre: age > 0, seconds.
  explicit StepClock(double age) : age_(age) {}

  // At `now` all look-ups of steps below this have come. Pre: `now` does not go back.
  void note(Step step, double now) {
    now -= pauses_;
    last_ = now;
    if (notes_.empty() || now - notes_.back().seconds >= age_ / kNotes)
      notes_.push_back({std::max(step, notes_.empty() ? step : notes_.back().step), now});
    while (!notes_.empty() && notes_.front().seconds <= now - age_) {
      horizon_ = notes_.front().step;
      notes_.pop_front();
    }
  }

  // The time since the last note() was no training.
  void pause(double now) {
    if (last_) pauses_ = now - *last_;
  }

  // What was last used in a step below this has not been used for the age.
  [[nodiscard]] Step horizon() const { return horizon_; }

 private:
  static constexpr double kNotes = 64;
  struct Note {
    Step step;
    double seconds;
  };

  double age_;
  std::optional<double> last_;  // note(), without the pauses
  double pauses_ = 0;           // in all
  std::deque<Note> notes_;      // younger than the age
  Step horizon_{0};
};

}  // namespace persia::table
