// The steps of the lookups that an owner still waits for gradients of.
//
// Kept by whoever keeps the tokens (serve/owner, embed/local_source). Not thread safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "table/table.hpp"

namespace persia::table {

class OpenSteps {
 public:
  // The moment of a lookup of this step, before its own token is opened.
  [[nodiscard]] Moment moment_of(Step step) const {
    return {step, count_.empty() ? step : std::min(step, count_.begin()->first)};
  }
  void open(Step step) { ++count_[step]; }
  // Pre: open.
  void close(Step step) {
    const auto found = count_.find(step);
    if (--found->second == 0) count_.erase(found);
  }

 private:
  std::map<Step, std::int64_t> count_;
};

}  // namespace persia::table
