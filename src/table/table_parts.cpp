#include "table/table_parts.hpp"

#include "base/random.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

constexpr std::uint64_t kRoundingStream = 0x726F756E64;  // apart from the stream of first values

// What every state of a new row starts with; the update count, last, with 0.
std::vector<float> make_first_state(const config::Optimizer& optimizer, const RowLayout& layout) {
  const double initial = visit_rule(
      optimizer.type, [&]<class Rule>() { return static_cast<double>(Rule::initial_state(optimizer)); });
  std::vector<float> state(static_cast<std::size_t>(layout.state_floats), static_cast<float>(initial));
  if (layout.counts_updates) state.back() = 0;
  return state;
}

}  // namespace

TableParts::TableParts(const config::TableSchema& table_schema, const TableOptions& options)
    : schema(table_schema),
      layout(make_row_layout(schema.table)),
      arguments(make_update_arguments(schema.table)),
      kernels(kernel_versions(schema.table.optimizer.type, schema.table.precision).front()),
      first_values(schema.table.init, schema.table.dim, options.seed, schema.salt),
      admission(schema.table.admission, options.seed, schema.salt),
      eviction(schema.table, layout, kernels, options.num_owners),
      on_evicted(options.on_evicted),
      rounding_key(random_bits(options.seed, schema.salt, kRoundingStream)),
      first_state(make_first_state(schema.table.optimizer, layout)),
      zero_row((static_cast<std::size_t>(layout.row_bytes) + 7) / 8),
      arena(layout.row_bytes) {
  shards.reserve(kInnerShards);
}

}  // namespace persia::table
