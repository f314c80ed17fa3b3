// What follows from a run file for every later room: numbered tables and columns with their shapes.
//
// Immutable after make_schema(); shared by const reference between threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"

namespace persia::config {

struct TableSchema {
  std::string name;
  Table table;             // resolved
  std::uint64_t salt = 0;  // hash_bytes(name, seed 0): mixes ids of string columns and places rows
};

struct ColumnSchema {
  CategoricalColumn column;  // column.table is resolved
  TableIndex table;
  std::int32_t dim = 0;             // of its table
  std::int32_t embedded_begin = 0;  // first of the column's `dim` places in a sample's pooled embeddings
};

struct Schema {
  std::vector<TableSchema> tables;    // in the order of first use by `columns`
  std::vector<ColumnSchema> columns;  // in the order of the run file (criteo: C1 .. C26)
  std::vector<DenseColumn> dense;     // criteo: I1 .. I13
  std::int32_t embedded_width = 0;    // sum of the columns' dims

  [[nodiscard]] std::int32_t num_dense() const { return static_cast<std::int32_t>(dense.size()); }
};

// Pre: validate(run) passed. criteo and synthetic get 13 dense and 26 categorical columns by themselves; a
// run file may list the categorical ones (C1 .. C26) to give tables. Post: every table is used by at least
// one column.
[[nodiscard]] Schema make_schema(const RunFile& run);

}  // namespace persia::config
