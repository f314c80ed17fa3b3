// The columns of state_names(), out of a record and into it: the optimizer's, the count of updates, the
// scale, the usage.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "table/precision.hpp"
#include "table/row_layout.hpp"

namespace persia::table {

// visit(offset, count, narrow): a stretch of `count` numbers of a record, bf16 if narrow, in the order of the
// columns.
template <class Visit>
void for_each_stretch(const RowLayout& layout, const Visit& visit) {
  for (std::int32_t k = 0; k < layout.element_states; ++k)
    visit(layout.state_offset + k * layout.element_state_bytes, layout.dim, layout.narrow_states);
  visit(layout.row_states_offset, layout.row_states, false);
  visit(kScaleOffset, layout.has_scale ? 1 : 0, false);
  visit(layout.usage_offset, layout.usage_floats, false);
}

inline void append_state(const RowLayout& layout, const std::byte* row, std::vector<float>& state) {
  for_each_stretch(layout, [&](std::int32_t offset, std::int32_t count, bool narrow) {
    const auto* const floats = reinterpret_cast<const float*>(row + offset);
    const auto* const halves = reinterpret_cast<const Bf16::Stored*>(row + offset);
    if (!narrow) state.insert(state.end(), floats, floats + count);
    for (std::int32_t i = 0; narrow && i < count; ++i)
      state.push_back(Bf16::decode<std::uint32_t>(halves[i]));
  });
}

// Shape: state (state_floats). Numbers that came out of a row of the same table go in as they were.
inline void set_state(const RowLayout& layout, std::span<const float> state, std::byte* row) {
  const float* from = state.data();
  for_each_stretch(layout, [&](std::int32_t offset, std::int32_t count, bool narrow) {
    auto* const halves = reinterpret_cast<Bf16::Stored*>(row + offset);
    if (!narrow) std::copy_n(from, count, reinterpret_cast<float*>(row + offset));
    for (std::int32_t i = 0; narrow && i < count; ++i)
      halves[i] = static_cast<Bf16::Stored>(Bf16::nearest<std::uint32_t>(from[i]));
    from += count;
  });
}

}  // namespace persia::table
