#include "observe/stuck_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace persia::observe {

namespace {

constexpr double later_seconds = 2;
// Launchers read 4096 bytes at once, and the log puts time and rank in front.
constexpr std::size_t longest_text = 3500;

}  // namespace

bool is_stuck(const Standstill& here, double timeout_seconds) {
  const double limit = timeout_seconds + later_seconds;
  if (here.still_seconds < limit) return false;
  return here.status.waits == status::Waits::for_others || here.longest_stopped_seconds >= limit;
}

std::string name_stopped(const std::vector<std::string>& stopped) {
  return stopped.empty() ? ""
                         : fmt::format("stopped (SIGSTOP; kill -CONT wakes): {}", fmt::join(stopped, ", "));
}

std::string block_of(const Standstill& here, const std::vector<std::string>& stopped) {
  std::string text = fmt::format("nothing has moved for {:.0f} s: {}", here.still_seconds,
                                 here.status.text.empty() ? "between two phases" : here.status.text);
  if (text.size() > longest_text) text = text.substr(0, longest_text) + " ...";
  return stopped.empty() ? text : text + "\n" + name_stopped(stopped);
}

}  // namespace persia::observe
