#include "observe/run_log.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace persia::observe {

struct RunLog::State {
  std::filesystem::path path;
  std::ofstream file;
  bool finished = false;
  bool warned = false;
};

namespace {

bool ends_within_a_line(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() <= 0) return false;
  file.seekg(-1, std::ios::end);
  return file.get() != '\n';
}

// "event" and "time" first, then the fields. Text that is no UTF-8 is mended, NaN and infinities become null.
std::string line_of(const std::string& event, const nlohmann::json& fields) {
  nlohmann::ordered_json line = {{"event", event}, {"time", utc_timestamp()}};
  for (const auto& [key, value] : fields.items()) line[key] = value;
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

RunLog::RunLog(const std::filesystem::path& path) {
  if (path.empty()) return;
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  require(!error, "cannot make the folder of {}: {}", path.string(), error.message());
  const bool cut_short = ends_within_a_line(path);
  state_ = std::make_unique<State>();
  state_->path = path;
  state_->file.open(path, std::ios::binary | std::ios::app);
  require(state_->file.is_open(), "cannot open the run log {}: {}", path.string(), std::strerror(errno));
  if (cut_short) state_->file << '\n';
}

RunLog::~RunLog() {
  if (!state_ || state_->finished) return;
  try {
    finish("failed", {{"message", "ended early"}});
  } catch (...) {  // a destructor has nobody to tell
  }
}

void RunLog::write(const std::string& event, nlohmann::json fields) {
  if (!state_) return;
  expects(!state_->finished, "nothing is logged after the end");
  expects(fields.is_object() || fields.is_null(), "a log line has named fields");
  state_->file << line_of(event, fields) << std::flush;
  if (state_->file || state_->warned) return;
  state_->warned = true;
  log::warn("the run log {} cannot be written any more: {}", state_->path.string(), std::strerror(errno));
}

void RunLog::finish(const std::string& status, nlohmann::json fields) {
  if (!state_) return;
  if (fields.is_null()) fields = nlohmann::json::object();
  fields["status"] = status;
  write("end", std::move(fields));
  state_->finished = true;
}

void append_failed_end(const std::filesystem::path& path, const std::string& message) noexcept {
  try {
    const bool cut_short = ends_within_a_line(path);
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file << (cut_short ? "\n" : "") << line_of("end", {{"status", "failed"}, {"message", message}})
         << std::flush;
  } catch (...) {  // the process ends; there is nobody to tell
  }
}

}  // namespace persia::observe
