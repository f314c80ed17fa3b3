// Processor time of the calling thread: what one thread's loop costs, without the time other processes took
// its core.
#pragma once

#include <cstdint>
#include <ctime>

#include "base/clock.hpp"

namespace persia::commands {

// Measures from its construction.
class ProcessorStopwatch {
 public:
  [[nodiscard]] double seconds() const { return now() - start_seconds_; }

 private:
  static double now() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_seconds_ = now();
};

// Measures from its construction what a team of so many threads takes: processor time of the caller where it
// works alone, otherwise the time until all are done.
class TeamStopwatch {
 public:
  explicit TeamStopwatch(std::int32_t threads) : alone_(threads == 1) {}

  [[nodiscard]] double seconds() const { return alone_ ? processor_.seconds() : wall_.seconds(); }

 private:
  bool alone_;
  ProcessorStopwatch processor_;
  Stopwatch wall_;
};

}  // namespace persia::commands
