// A small schema and batch for the tests of embed/: two columns share table "a" (dim 2), one has table "b"
// (dim 3).
#pragma once

#include "base/hash.hpp"
#include "config/schema.hpp"
#include "data/batch.hpp"

namespace persia::embed::example {

inline config::Schema schema() {
  config::Schema schema;
  for (const auto& [name, dim] : {std::pair{"a", 2}, std::pair{"b", 3}}) {
    config::Table table;
    table.dim = dim;
    table.optimizer = {.type = config::OptimizerType::sgd, .learning_rate = 1.0};
    schema.tables.push_back({.name = name, .table = table, .salt = hash_bytes(name, 0)});
  }
  for (const auto& [table, pooling] :
       {std::pair{0, config::Pooling::sum}, std::pair{0, config::Pooling::mean},
        std::pair{1, config::Pooling::sqrtn}}) {
    config::ColumnSchema column;
    column.column.pooling = pooling;
    column.table = TableIndex(table);
    column.dim = schema.tables[static_cast<std::size_t>(table)].table.dim;
    column.embedded_begin = schema.embedded_width;
    schema.embedded_width += column.dim;
    schema.columns.push_back(column);
  }
  return schema;
}

inline data::IdColumn lists(const std::vector<std::vector<std::uint64_t>>& samples) {
  data::IdColumn column{.offsets = {0}, .ids = {}};
  for (const std::vector<std::uint64_t>& sample : samples) {
    for (const std::uint64_t id : sample) column.ids.emplace_back(id);
    column.offsets.push_back(static_cast<std::int32_t>(column.ids.size()));
  }
  return column;
}

// Three samples. Id 7 stands in both columns of table a, twice in sample 2; sample 1 has an empty list.
inline data::Batch batch() {
  data::Batch batch;
  batch.num_samples = 3;
  batch.global_rows = 3;
  batch.labels = {1, 0, 1};
  batch.columns = {lists({{7}, {5}, {7}}), lists({{7, 9}, {}, {7, 7}}), lists({{1}, {1}, {2, 3, 1, 4}})};
  return batch;
}

}  // namespace persia::embed::example
