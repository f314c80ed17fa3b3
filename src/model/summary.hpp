// What one layer is, for tables that people read and for counting work.
#pragma once

#include <cstdint>
#include <string>

namespace persia::model {

struct LayerSummary {
  std::string name;
  std::string kind;
  std::int64_t in = 0;   // values per sample
  std::int64_t out = 0;  // values per sample
  std::int64_t parameters = 0;
  std::int64_t multiply_adds = 0;  // per sample, forward
  bool is_linear = false;          // counted by Network::multiply_adds_per_sample
};

}  // namespace persia::model
