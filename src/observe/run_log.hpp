// The run log: OUTPUT/log.jsonl, one JSON object per line, flushed at once. Written by trainer 0 only.
//
// Lines: {"event":"start","time":"2026-11-30T15:34:05Z",...},
// {"event":"interval","step":..,"samples_per_s":..,"loss":..,"staleness":..,...}, {"event":"evaluation",...},
// {"event":"checkpoint",...}, and exactly one last {"event":"end","status":"ok"|"failed","message":..}, also
// when the run fails. Numbers that are not finite become null, so every line is JSON. A log that cannot be
// written (full disk) is warned about once and does not end the training.
// Thread safety: one thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace persia::observe {

class RunLog {
 public:
  // Opens for append (a resumed run goes on in the same file; a last line that was cut short is closed).
  // Makes the folder. An empty path logs nowhere. Error if it cannot be opened.
  explicit RunLog(const std::filesystem::path& path);
  ~RunLog();  // writes {"event":"end","status":"failed","message":"ended early"} if finish() was never called
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;
  RunLog(RunLog&&) = delete;
  RunLog& operator=(RunLog&&) = delete;
  // Pre: fields is an object (or null: no fields); finish() was not called.
  void write(const std::string& event, nlohmann::json fields);
  void finish(const std::string& status, nlohmann::json fields);

 private:
  struct State;
  std::unique_ptr<State> state_;  // empty: nowhere
};

// Appends the last line of a run that ends while its RunLog is in the hands of another thread (a lost rank):
// the process must end right afterwards. Never throws.
void append_failed_end(const std::filesystem::path& path, const std::string& message) noexcept;

}  // namespace persia::observe
