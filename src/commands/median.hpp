// The middle of repeated measurements: what every benchmark reports. Callers: the bench commands.
#pragma once

#include <algorithm>
#include <vector>

namespace persia::commands {

// The upper one of the two middle values where their number is even. At least one value.
[[nodiscard]] inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace persia::commands
