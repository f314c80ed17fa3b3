// One table "a" of dim 2 with plain SGD at rate 1, for the tests of serve/.
#pragma once

#include <memory>
#include <vector>

#include "table/table.hpp"

namespace persia::serve::example {

inline std::vector<std::unique_ptr<table::Table>> tables() {
  config::TableSchema schema{.name = "a", .table = {}, .salt = 17};
  schema.table.dim = 2;
  schema.table.optimizer = {.type = config::OptimizerType::sgd, .learning_rate = 1.0};
  schema.table.init = {.type = config::InitType::zero};
  std::vector<std::unique_ptr<table::Table>> tables;
  tables.push_back(table::make_table(schema, {.seed = 1}));
  return tables;
}

inline std::vector<table::Row> rows_of(table::Table& table, const std::vector<FeatureId>& ids) {
  std::vector<float> values(ids.size() * 2);
  std::vector<table::Row> rows(ids.size());
  table.lookup(ids, table::Purpose::train, values, rows, {});
  return rows;
}

inline std::vector<float> values_of(table::Table& table, const std::vector<FeatureId>& ids) {
  std::vector<float> values(ids.size() * 2);
  std::vector<table::Row> rows(ids.size());
  table.lookup(ids, table::Purpose::evaluate, values, rows, {});
  return values;
}

}  // namespace persia::serve::example
