#include "table/sharded_table.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
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

ShardedTable::ShardedTable(const config::TableSchema& schema, const TableOptions& options)
    : schema_(schema),
      layout_(make_row_layout(schema.table)),
      arguments_(make_update_arguments(schema.table)),
      kernels_(kernel_versions(schema.table.optimizer.type, schema.table.precision).front()),
      first_values_(schema.table.init, schema.table.dim, options.seed, schema.salt),
      admission_(schema.table.admission, options.seed, schema.salt),
      eviction_(schema.table, layout_, kernels_, options.num_owners),
      on_evicted_(options.on_evicted),
      rounding_key_(random_bits(options.seed, schema.salt, kRoundingStream)),
      first_state_(make_first_state(schema.table.optimizer, layout_)),
      first_row_(static_cast<std::size_t>(layout_.dim)),
      zero_row_((static_cast<std::size_t>(layout_.row_bytes) + 7) / 8),
      lost_row_(zero_row_.size()),
      arena_(layout_.row_bytes) {
  shards_.reserve(kInnerShards);
  try {
    for (std::uint32_t s = 0; s < kInnerShards; ++s)
      shards_.emplace_back(arena_, layout_.row_bytes, schema.salt);
  } catch (const OutOfMemory& error) {
    fail_out_of_memory(error.bytes());
  }
}

TableStatistics ShardedTable::statistics() const {
  TableStatistics result;
  for (const InnerShard& shard : shards_) {
    result.rows += shard.rows();
    result.index_bytes += shard.index_bytes();
    result.resident_bytes += shard.touched_bytes();
  }
  if (!arena_.small()) result.resident_bytes = arena_.resident_bytes();
  for (const Sightings& seen : admission_.seen()) result.resident_bytes += seen.bytes();
  result.unseen = unseen_;
  result.not_admitted = not_admitted_;
  result.evicted = evicted_;
  result.non_finite = non_finite_;
  result.first_non_finite = first_non_finite_;
  return result;
}

std::byte* ShardedTable::add(FeatureId id, std::uint64_t place, Row& row) {
  InnerShard& shard = shards_[row.shard];
  try {
    row.slot = shard.add(id, place);
  } catch (const OutOfMemory& error) {
    fail_out_of_memory(error.bytes());
  }
  return shard.row(row.slot);
}

void ShardedTable::fail_out_of_memory(std::size_t bytes) const {
  const TableStatistics now = statistics();
  fail(
      "table '{}' holds {} rows in {} bytes and cannot get {} bytes more from the system; use more embedding "
      "ranks, a "
      "smaller dim or a half precision",
      schema_.name, now.rows, now.resident_bytes, bytes);
}

std::unique_ptr<Table> make_table(const config::TableSchema& schema, const TableOptions& options) {
  return std::make_unique<ShardedTable>(schema, options);
}

std::vector<std::string> state_names(const config::Table& table) {
  std::vector<std::string> names;
  visit_rule(table.optimizer.type, [&]<class Rule>() {
    names.assign(Rule::element_states.begin(), Rule::element_states.end());
    names.insert(names.end(), Rule::row_states.begin(), Rule::row_states.end());
  });
  const RowLayout layout = make_row_layout(table);
  if (layout.counts_updates) names.emplace_back("count");
  if (layout.usage_floats > 0) names.emplace_back("last_use");
  if (layout.usage_floats > 1) names.emplace_back("uses");
  return names;
}

}  // namespace persia::table
