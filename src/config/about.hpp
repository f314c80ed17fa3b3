// What the description of a key says beside its name: help, range, and when it is used.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "config/names.hpp"

namespace persia::config {

// Numbers that a key may have; of a list, each of its numbers. Limits are far below 2^53, so that doubles
// hold them exactly.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool most_excluded = false;

  [[nodiscard]] constexpr bool holds(double value) const {
    return (least_excluded ? value > least : value >= least) &&
           (most_excluded ? value < most : value <= most);
  }
  // "at least 1", "from 0 to 1000", "above 0"; "" for any number.
  [[nodiscard]] std::string text() const {
    const bool low = least != -std::numeric_limits<double>::infinity();
    const bool high = most != std::numeric_limits<double>::infinity();
    const std::string lower = low ? fmt::format("{} {}", least_excluded ? "above" : "at least", least) : "";
    const std::string upper = high ? fmt::format("{} {}", most_excluded ? "below" : "at most", most) : "";
    return lower + (low && high ? ", " : "") + upper;
  }
};

[[nodiscard]] constexpr Range at_least(double least) {
  return {.least = least};
}
[[nodiscard]] constexpr Range above(double least) {
  return {.least = least, .least_excluded = true};
}
[[nodiscard]] constexpr Range between(double least, double most) {
  return {.least = least, .most = most};
}
[[nodiscard]] constexpr Range from_to_below(double least, double most) {
  return {.least = least, .most = most, .most_excluded = true};
}
[[nodiscard]] constexpr Range above_to(double least, double most) {
  return {.least = least, .most = most, .least_excluded = true};
}

// Whether a key acts under the other keys' present values. A written key that does not act is refused, and
// the resolved run file leaves it out.
struct Use {
  bool used = true;
  std::string why_not{};  // "with data.format synthetic"
  std::string when{};     // "data.format criteo or csv"
};

// Used while `key`, whose value is `value`, is one of `wanted`.
template <NamedEnum E>
[[nodiscard]] Use used_with(std::string_view key, E value, std::initializer_list<E> wanted) {
  std::vector<std::string_view> names;
  bool used = false;
  for (const E name : wanted) {
    names.push_back(name_of(name));
    used = used || name == value;
  }
  return {.used = used,
          .why_not = fmt::format("with {} {}", key, name_of(value)),
          .when = fmt::format("{} {}", key, join_names(names))};
}

// The first of two that does not hold decides.
[[nodiscard]] inline Use both(Use first, Use second) {
  std::string when = first.when + ", " + second.when;
  Use result = first.used ? std::move(second) : std::move(first);
  result.when = std::move(when);
  return result;
}

struct About {
  std::string_view help{};  // one line, no full stop
  Range range{};
  Use use{};
  bool path = false;  // ${NAME} is replaced from the environment
  bool fp32 = false;  // computed with in 32 bits, where it must be neither infinite nor vanish
};

}  // namespace persia::config
