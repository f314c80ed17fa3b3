// The progress line on standard error: step, samples/s, loss, staleness, ETA. Quiet unless standard error is
// a terminal (PERSIA_PROGRESS=1 forces it, 0 forbids it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace persia::observe {

struct ProgressState {
  std::int64_t step = 0;
  std::optional<std::int64_t> total_steps;
  double samples_per_s = 0;
  double loss = 0;
  double staleness = 0;  // measured: mean of own updates missing at lookup
  std::optional<double> eta_seconds;
};

// "step 1200/5000  48.2k samples/s  loss 0.4512  staleness 3.9  eta 1m20s"
[[nodiscard]] std::string progress_text(const ProgressState& state);

class Progress {
 public:
  Progress();
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;
  void show(const ProgressState& state);  // at most 5 times a second

 private:
  bool enabled_ = false;
  double last_shown_ = 0;
};

}  // namespace persia::observe
