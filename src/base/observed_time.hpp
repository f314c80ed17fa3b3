// How long a state has lasted, as far as this process saw it. Time in which the process itself was stopped
// (scontrol suspend, Ctrl-Z, a machine that slept) does not count: nobody could have moved then.
#pragma once

#include <algorithm>

namespace persia {

class ObservedTime {
 public:
  // Looks come once a second or more often; more than two seconds between them were not observed.
  void look(double now_seconds, bool lasts) {
    const double step = looked_ ? std::min(now_seconds - last_look_, 2.0) : 0.0;
    seconds_ = lasts ? seconds_ + step : 0.0;
    last_look_ = now_seconds;
    looked_ = true;
  }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  bool looked_ = false;
  double last_look_ = 0;
  double seconds_ = 0;
};

}  // namespace persia
