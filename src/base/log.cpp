#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>

#include <mutex>

#include "base/error.hpp"

namespace persia {

namespace {

void use_stderr() {
  static std::once_flag once;
  std::call_once(once, [] { spdlog::set_default_logger(spdlog::stderr_logger_mt("persia")); });
}

}  // namespace

void set_log_speaker(const std::string& speaker) {
  use_stderr();
  std::string escaped;
  for (const char c : speaker) escaped += c == '%' ? std::string("%%") : std::string(1, c);
  spdlog::set_pattern(speaker.empty() ? "%H:%M:%S %l: %v" : "%H:%M:%S " + escaped + " %l: %v",
                      spdlog::pattern_time_type::utc);
}

void set_log_level(const std::string& level) {
  use_stderr();
  const auto parsed = spdlog::level::from_str(level);
  require_user(parsed != spdlog::level::off || level == "off",
               "log level '{}' is not known; use trace, debug, info, warn, error or off", level);
  spdlog::set_level(parsed);
}

}  // namespace persia
