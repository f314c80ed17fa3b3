// What a worker waits for, sweep by sweep: where its time goes, when trainers hear of it, and when it gives
// up.
//
// A worker waits for its own files as long as they take, and for owners at most mail.timeout_seconds;
// trainers wait for workers at most as long. So a worker that waits says so to all trainers (`patience`) four
// times in that time, and they take it as a sign of life: only a worker that is itself stuck is silent, and
// of an owner that is stuck the worker speaks, before any trainer. Files of one worker may keep another
// worker's owners waiting, in sync mode through a trainer whose gradient is missing: trainer 0 passes the
// word on, and no worker counts the time in which some worker reads. Not thread safe: the communication
// thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "wire/records.hpp"

namespace persia::train {

// Seconds of a worker since the first batch that was wanted of it.
struct WorkerTimes {
  double read = 0;         // nothing to do: a batch that is wanted has not been read
  double lookup_wait = 0;  // nothing to do: rows have not come
  double idle = 0;         // nothing is wanted
  double pool = 0;         // pooling rows, spreading gradients over them
  double send = 0;         // all other work
};
[[nodiscard]] nlohmann::json to_json(const WorkerTimes& times);

// What there was to see in one sweep over the mail.
struct WorkerSweep {
  bool moved = false;             // anything happened
  bool owners_moved = false;      // an owner said something
  bool others_read = false;       // word came that files keep another worker
  bool awaits_files = false;      // a batch that is wanted has not been read
  bool awaits_rows = false;       // a look-up is not complete
  bool awaits_gradients = false;  // a gradient is not applied
  double pool_seconds = 0;        // of this sweep
};

class WorkerWatch {
 public:
  explicit WorkerWatch(double timeout_seconds);

  // Call after every sweep, with the clock's seconds.
  void add(const WorkerSweep& sweep, double now);
  // What trainers shall hear now; forgotten by asking.
  [[nodiscard]] std::optional<wire::Waits> take_notice();
  // Owners have been silent for too long.
  [[nodiscard]] bool owners_are_stuck() const { return stuck_; }
  [[nodiscard]] const WorkerTimes& times() const { return times_; }

 private:
  void share_out(const WorkerSweep& sweep, double seconds);

  double timeout_seconds_;
  WorkerTimes times_;
  bool began_ = false;          // something was wanted
  double last_ = 0;             // the sweep before
  double owners_heard_at_ = 0;  // or not waited for
  double told_at_ = 0;          // or nothing to tell
  std::optional<wire::Waits> notice_;
  bool stuck_ = false;
};

}  // namespace persia::train
