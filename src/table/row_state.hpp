// The columns of state_names(), out of a record and into it: the optimizer's, then the usage.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "table/row_layout.hpp"

namespace persia::table {

inline void append_state(const RowLayout& layout, const std::byte* row, std::vector<float>& state) {
  const auto* const own = reinterpret_cast<const float*>(row + layout.state_offset);
  state.insert(state.end(), own, own + layout.state_floats);
  const auto* const usage = reinterpret_cast<const float*>(row + kUsageOffset);
  state.insert(state.end(), usage, usage + layout.usage_floats);
}

// Shape: state (state_floats + usage_floats).
inline void set_state(const RowLayout& layout, std::span<const float> state, std::byte* row) {
  const auto own = static_cast<std::size_t>(layout.state_floats);
  std::ranges::copy(state.first(own), reinterpret_cast<float*>(row + layout.state_offset));
  std::ranges::copy(state.subspan(own), reinterpret_cast<float*>(row + kUsageOffset));
}

}  // namespace persia::table
