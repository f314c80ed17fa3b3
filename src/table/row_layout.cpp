#include "table/row_layout.hpp"

#include "base/error.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

std::int32_t usage_floats_of(const config::Eviction& eviction) {
  if (eviction.policy == config::EvictionPolicy::lfu) return 2;
  return eviction.policy != config::EvictionPolicy::none || eviction.ttl_steps > 0 ? 1 : 0;
}

}  // namespace

RowLayout make_row_layout(const config::Table& table) {
  require_user(table.dim >= 1 && table.dim <= kMaxDim, "a table's dim is {}; it must be from 1 to {}",
               table.dim, kMaxDim);
  RowLayout layout;
  layout.dim = table.dim;
  const bool rounds = visit_precision(table.precision, [&]<class Value>() {
    layout.value_bytes = table.dim * static_cast<std::int32_t>(sizeof(typename Value::Stored));
    return Value::rounds;
  });
  layout.usage_floats = usage_floats_of(table.eviction);
  layout.values_offset = kUsageOffset + 4 * layout.usage_floats;
  layout.state_offset = (layout.values_offset + layout.value_bytes + 3) / 4 * 4;
  visit_rule(table.optimizer.type, [&]<class Rule>() {
    layout.counts_updates = Rule::counts_updates || rounds;
    layout.state_floats = static_cast<std::int32_t>(Rule::element_states.size()) * table.dim +
                          static_cast<std::int32_t>(Rule::row_states.size()) +
                          (layout.counts_updates ? 1 : 0);
  });
  layout.row_bytes = layout.state_offset + 4 * layout.state_floats;
  return layout;
}

}  // namespace persia::table
