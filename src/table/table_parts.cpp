#include "table/table_parts.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/random.hpp"
#include "table/row_state.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

constexpr std::uint64_t kRoundingStream = 0x726F756E64;  // apart from the stream of first values

std::vector<std::uint64_t> record_of_zeros(const RowLayout& layout) {
  return std::vector<std::uint64_t>((static_cast<std::size_t>(layout.row_bytes) + 7) / 8);
}

// Every state of the optimizer starts with the same number; what else is beside a row's values with 0.
std::vector<std::uint64_t> make_first_row(const config::Optimizer& optimizer, const RowLayout& layout) {
  const double initial = visit_rule(
      optimizer.type, [&]<class Rule>() { return static_cast<double>(Rule::initial_state(optimizer)); });
  const std::int32_t own =
      layout.element_states * layout.dim + layout.row_states - (layout.counts_updates ? 1 : 0);
  std::vector<float> state(static_cast<std::size_t>(layout.state_floats()));
  std::fill_n(state.begin(), own, static_cast<float>(initial));
  std::vector<std::uint64_t> record = record_of_zeros(layout);
  set_state(layout, state, reinterpret_cast<std::byte*>(record.data()));
  return record;
}

std::unique_ptr<ColdStore> make_cold_store(const config::TableSchema& schema, const RowLayout& layout,
                                           const TableOptions& options) {
  if (options.disk_team == nullptr || schema.table.eviction.directory.empty()) return nullptr;
  auto store =
      std::make_unique<ColdStore>(options.disk_folder, layout.row_bytes, schema.salt, *options.disk_team);
  if (!store->direct())
    log::warn(
        "table '{}': the file system of {} (eviction.directory) reads and writes through the page cache "
        "only; "
        "rows on disk take memory there as well, beside what the table counts; name a folder on a local disk",
        schema.name, options.disk_folder.string());
  return store;
}

}  // namespace

TableParts::TableParts(const config::TableSchema& table_schema, const TableOptions& options)
    : schema(table_schema),
      layout(make_row_layout(schema.table)),
      arguments(make_update_arguments(schema.table)),
      kernels(kernel_versions(schema.table.optimizer.type, schema.table.precision).front()),
      first_values(schema.table.init, schema.table.dim, options.seed, schema.salt, kernels.uniform),
      admission(schema.table.admission, options.seed, schema.salt),
      eviction(schema.table, layout, kernels, options.num_owners),
      on_evicted(options.on_evicted),
      clock(options.clock),
      cold(make_cold_store(schema, layout, options)),
      rounding_key(random_bits(options.seed, schema.salt, kRoundingStream)),
      first_row(make_first_row(schema.table.optimizer, layout)),
      zero_row(record_of_zeros(layout)),
      arena(layout.row_bytes) {
  shards.reserve(kInnerShards);
}

}  // namespace persia::table
