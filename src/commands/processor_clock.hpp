// Processor time of the calling thread: what one thread's loop costs, without the time other processes took
// its core.
#pragma once

#include <ctime>

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

}  // namespace persia::commands
