// Tables that evict, for the tests of this room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "table_maker.hpp"

namespace persia::table {

inline config::TableSchema evicting(config::EvictionPolicy policy, std::int64_t max_rows,
                                    std::int32_t dim = 1) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, dim);
  schema.table.eviction.policy = policy;
  schema.table.eviction.max_rows = max_rows;
  return schema;
}

inline std::vector<std::uint64_t> ids_in(const Table& table) {
  std::vector<std::uint64_t> ids;
  table.for_each_block(100, [&](const Table::Block& block) {
    for (const FeatureId id : block.ids) ids.push_back(id.value());
  });
  std::ranges::sort(ids);
  return ids;
}

}  // namespace persia::table
