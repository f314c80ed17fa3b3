#include "observe/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"

namespace persia::observe {

namespace {

constexpr double seconds_between = 0.2;

bool wanted() {
  const char* setting = std::getenv("PERSIA_PROGRESS");
  if (setting != nullptr && *setting != '\0') return std::string(setting) != "0";
  return ::isatty(STDERR_FILENO) == 1;
}

// "950", "48.2k", "3.10M"
std::string rate_text(double rate) {
  if (!std::isfinite(rate) || rate < 0) return "?";
  if (rate < 1e3) return fmt::format("{:.0f}", rate);
  return rate < 1e6 ? fmt::format("{:.1f}k", rate / 1e3) : fmt::format("{:.2f}M", rate / 1e6);
}

// "40s", "1m20s", "2h05m"
std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e9) return "?";
  const auto total = static_cast<std::int64_t>(std::llround(seconds));
  if (total < 60) return fmt::format("{}s", total);
  if (total < 3600) return fmt::format("{}m{:02}s", total / 60, total % 60);
  return fmt::format("{}h{:02}m", total / 3600, total % 3600 / 60);
}

void rewrite_line(const std::string& text) {
  std::fputs(fmt::format("\r\x1b[K{}", text).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_text(const ProgressState& state) {
  std::string text = fmt::format("step {}", state.step);
  if (state.total_steps) text += fmt::format("/{}", *state.total_steps);
  text += fmt::format("  {} samples/s  loss {:.4f}  staleness {:.1f}", rate_text(state.samples_per_s),
                      state.loss, state.staleness);
  if (state.eta_seconds) text += "  eta " + duration_text(*state.eta_seconds);
  return text;
}

Progress::Progress() : enabled_(wanted()) {}

Progress::~Progress() {
  if (enabled_ && last_shown_ > 0) rewrite_line("");
}

void Progress::show(const ProgressState& state) {
  if (!enabled_) return;
  const double now = now_seconds();
  if (last_shown_ > 0 && now - last_shown_ < seconds_between) return;
  last_shown_ = now;
  rewrite_line(progress_text(state));
}

}  // namespace persia::observe
