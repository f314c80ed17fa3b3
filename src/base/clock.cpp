#include "base/clock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

namespace persia {

namespace {

// "2026-11-30T15:34:05"
std::string utc_seconds(std::time_t seconds) {
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  return {text, length};
}

}  // namespace

std::string utc_timestamp() {
  return utc_seconds(std::time(nullptr)) + "Z";
}

std::string utc_timestamp_micros() {
  using namespace std::chrono;
  const std::int64_t micros = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
  return fmt::format("{}.{:06}Z", utc_seconds(static_cast<std::time_t>(micros / 1'000'000)),
                     micros % 1'000'000);
}

}  // namespace persia
