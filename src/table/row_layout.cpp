#include "table/row_layout.hpp"

#include "base/error.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

constexpr std::int32_t kFloatBytes = 4;
constexpr std::int32_t kHalfBytes = 2;

std::int32_t usage_floats_of(const config::Eviction& eviction) {
  if (eviction.policy == config::EvictionPolicy::lfu) return 2;
  const bool has_ttl = eviction.ttl_steps > 0 || eviction.ttl_seconds > 0;
  return eviction.policy != config::EvictionPolicy::none || has_ttl ? 1 : 0;
}

constexpr std::int32_t padded(std::int32_t bytes) {
  return (bytes + kFloatBytes - 1) / kFloatBytes * kFloatBytes;
}

}  // namespace

RowLayout make_row_layout(const config::Table& table) {
  require_user(table.dim >= 1 && table.dim <= kMaxDim, "a table's dim is {}; it must be from 1 to {}",
               table.dim, kMaxDim);
  RowLayout layout;
  layout.dim = table.dim;
  const bool rounds = visit_precision(table.precision, [&]<class Value>() {
    layout.value_bytes = table.dim * static_cast<std::int32_t>(sizeof(typename Value::Stored));
    layout.has_scale = Value::has_scale;
    return Value::rounds;
  });
  layout.usage_offset = kScaleOffset + (layout.has_scale ? kFloatBytes : 0);
  layout.usage_floats = usage_floats_of(table.eviction);
  layout.values_offset = layout.usage_offset + kFloatBytes * layout.usage_floats;
  layout.state_offset = padded(layout.values_offset + layout.value_bytes);
  visit_rule(table.optimizer.type, [&]<class Rule>() {
    layout.element_states = static_cast<std::int32_t>(Rule::element_states.size());
    layout.narrow_states = layout.element_states > 0 && table.state_precision == config::StatePrecision::bf16;
    layout.counts_updates = Rule::counts_updates || rounds || layout.narrow_states;
    layout.row_states = static_cast<std::int32_t>(Rule::row_states.size()) + (layout.counts_updates ? 1 : 0);
  });
  layout.element_state_bytes = padded(table.dim * (layout.narrow_states ? kHalfBytes : kFloatBytes));
  layout.row_states_offset = layout.state_offset + layout.element_states * layout.element_state_bytes;
  layout.row_bytes = layout.row_states_offset + kFloatBytes * layout.row_states;
  return layout;
}

}  // namespace persia::table
