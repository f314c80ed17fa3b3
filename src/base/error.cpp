#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace persia {

Error::Error(const std::string& message, std::source_location where)
    : std::runtime_error(message), where_(where) {}

void expects(bool promise, std::string_view what, std::source_location where) {
  if (promise) [[likely]]
    return;
  throw Error(fmt::format("broken promise in {}: {}. This is a fault of the program; please report it.",
                          where.function_name(), what),
              where);
}

namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    // Names of which no letter stays are not near, however short.
    if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace persia
