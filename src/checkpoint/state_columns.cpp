#include "checkpoint/state_columns.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"

namespace persia::checkpoint {

namespace {

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> result;
  std::istringstream rest(names);
  for (std::string name; std::getline(rest, name, ',');) result.push_back(name);
  return result;
}

}  // namespace

std::size_t scale_column(const std::string& table, const std::string& stored, std::size_t width) {
  const std::vector<std::string> names = split(stored);
  const auto scale = std::ranges::find(names, "scale");
  const auto from_end = static_cast<std::size_t>(names.end() - scale);
  require_user(scale != names.end() && from_end <= width,
               "table {} has the state columns ({}) in the checkpoint, where int8 rows have their scale",
               table, stored);
  return width - from_end;
}

StateColumns::Usage StateColumns::take_usage(std::vector<std::string>& names) {
  const auto take = [&](const char* name) {
    const bool there = !names.empty() && names.back() == name;
    if (there) names.pop_back();
    return there;
  };
  Usage usage{};
  usage.uses = take("uses");
  usage.last_use = take("last_use");
  return usage;
}

StateColumns::StateColumns(const std::string& table, const std::string& stored, std::int64_t stored_width,
                           const std::vector<std::string>& wanted, Step step)
    : step_(static_cast<float>(step.value())) {
  std::vector<std::string> stored_names = split(stored);
  std::vector<std::string> wanted_names = wanted;
  stored_ = take_usage(stored_names);
  wanted_ = take_usage(wanted_names);
  optimizer_floats_ = stored_width - stored_.width();
  require_user(
      stored_names == wanted_names && optimizer_floats_ >= 0,
      "table {} has the optimizer state ({}) in the checkpoint, ({}) by the run file; they must be equal",
      table, fmt::join(stored_names, ", "), fmt::join(wanted_names, ", "));
}

std::int64_t StateColumns::width() const {
  return optimizer_floats_ + wanted_.width();
}

std::vector<float> StateColumns::convert(std::vector<float> state, std::int64_t num_rows) const {
  if (stored_ == wanted_) return state;
  const auto from = optimizer_floats_ + stored_.width();
  std::vector<float> result;
  result.reserve(static_cast<std::size_t>(num_rows * width()));
  for (std::int64_t row = 0; row < num_rows; ++row) {
    const auto begin = state.begin() + row * from;
    const auto usage = begin + optimizer_floats_;
    result.insert(result.end(), begin, usage);
    if (wanted_.last_use) result.push_back(stored_.last_use ? *usage : step_);
    if (wanted_.uses) result.push_back(stored_.uses ? *(usage + 1) : 1.0F);
  }
  return result;
}

}  // namespace persia::checkpoint
