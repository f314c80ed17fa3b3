// Wall-clock time for rates and logs.
#pragma once

#include <chrono>
#include <string>

namespace persia {

// Seconds of a monotonic clock since an arbitrary start.
[[nodiscard]] inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Measures from its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return now_seconds() - start_seconds_; }

 private:
  double start_seconds_ = now_seconds();
};

// Now as UTC, "2026-11-30T15:34:05Z", whatever TZ says.
[[nodiscard]] std::string utc_timestamp();

// The same with microseconds, "2026-11-30T15:34:05.000123Z": orders what happens within one second.
[[nodiscard]] std::string utc_timestamp_micros();

}  // namespace persia
