// What tests over all kinds run over: an enumerator or a key that is added to the run file is in it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/describe.hpp"
#include "config/names.hpp"

namespace persia::testing {

// All enumerators, in order.
template <config::NamedEnum E>
std::vector<E> every() {
  std::vector<E> all;
  for (std::size_t i = 0; i < config::names_of(E{}).size(); ++i) all.push_back(static_cast<E>(i));
  return all;
}

// A schedule of every type: warm-up, every_steps and half of decay_steps are `steps`.
inline std::vector<config::Schedule> schedules(std::int64_t steps) {
  std::vector<config::Schedule> all;
  for (const config::ScheduleType type : every<config::ScheduleType>())
    all.push_back({.type = type,
                   .warm_up_steps = steps,
                   .every_steps = steps,
                   .factor = 0.5,
                   .decay_steps = 2 * steps,
                   .power = 2,
                   .end = 0.1});
  return all;
}

// A visitor of config::describe() that gives one of an optimizer's or a table's numbers another value: those
// that are no whole numbers.
struct ChangeOneNumber {
  int place;  // of the number among them; below 0 once it is found
  std::string key{};
  bool used = false;

  template <class Other>
  void field(std::string_view, Other&, const config::About&) {}
  template <class Body>
  void group(std::string_view, std::string_view, const Body& body) {
    body(*this);
  }
  void field(std::string_view name, double& value, const config::About& about) {
    if (place-- != 0) return;
    key = name;
    used = about.use.used;
    value = value / 2 + 0.03;
  }
};

// Calls f(key, changed, used) for every number of an optimizer or table: `changed` is `base` with another
// value of that number alone, `used` is whether the run file takes the key with this type.
template <class Options, class F>
void for_each_changed_number(const Options& base, const F& f) {
  for (int place = 0;; ++place) {
    Options changed = base;
    ChangeOneNumber visitor{place};
    config::describe(visitor, changed);
    if (visitor.key.empty()) return;
    f(visitor.key, changed, visitor.used);
  }
}

// `base`, and `base` with another value of each number that its type uses.
template <class Options>
std::vector<Options> variants(const Options& base) {
  std::vector<Options> all{base};
  for_each_changed_number(base, [&](const std::string&, const Options& changed, bool used) {
    if (used) all.push_back(changed);
  });
  return all;
}

}  // namespace persia::testing
