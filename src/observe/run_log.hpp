// The run log: OUTPUT/log.jsonl, one JSON object per line, flushed at once. Written by trainer 0 only.
//
// Lines: {"event":"start",...},
// {"event":"interval","step":..,"samples_per_s":..,"loss":..,"staleness":..,...}, {"event":"evaluation",...},
// {"event":"checkpoint",...}, and exactly one last {"event":"end","status":"ok"|"failed","message":..}, also
// when the run fails.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace persia::observe {

class RunLog {
 public:
  // Opens for append (a resumed run goes on in the same file). An empty path logs nowhere.
  explicit RunLog(const std::filesystem::path& path);
  ~RunLog();  // writes {"event":"end","status":"failed","message":"ended early"} if finish() was never called
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;
  RunLog(RunLog&&) = delete;
  RunLog& operator=(RunLog&&) = delete;
  void write(const std::string& event, nlohmann::json fields);
  void finish(const std::string& status, nlohmann::json fields);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::observe
