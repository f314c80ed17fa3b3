#include "config/schema.hpp"

#include <algorithm>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"

namespace persia::config {

namespace {

constexpr int criteo_dense = 13;
constexpr int criteo_categorical = 26;

// C1 .. C26, with what the run file says about the ones it lists.
std::vector<CategoricalColumn> criteo_columns(const std::vector<CategoricalColumn>& listed) {
  std::vector<CategoricalColumn> columns;
  for (int i = 1; i <= criteo_categorical; ++i) {
    const std::string name = fmt::format("C{}", i);
    const auto found = std::ranges::find(listed, name, &CategoricalColumn::name);
    columns.push_back(found == listed.end() ? CategoricalColumn{.name = name} : *found);
  }
  return columns;
}

std::vector<DenseColumn> criteo_numbers(const Data& data) {
  const Transform transform = data.format == DataFormat::criteo ? data.transform : Transform::none;
  std::vector<DenseColumn> columns;
  for (int i = 1; i <= criteo_dense; ++i) columns.push_back({fmt::format("I{}", i), transform});
  return columns;
}

Table table_of(const RunFile& run, const std::string& name) {
  const auto found = std::ranges::find(run.tables, name, &NamedTable::name);
  return found == run.tables.end() ? run.embedding : found->table;
}

TableIndex index_of(Schema& schema, const RunFile& run, const std::string& name) {
  auto found = std::ranges::find(schema.tables, name, &TableSchema::name);
  if (found == schema.tables.end()) {
    schema.tables.push_back({name, table_of(run, name), hash_bytes(name, 0)});
    found = schema.tables.end() - 1;
  }
  return TableIndex(checked_cast<std::int32_t>(found - schema.tables.begin()));
}

}  // namespace

Schema make_schema(const RunFile& run) {
  const bool csv = run.data.format == DataFormat::csv;
  Schema schema;
  schema.dense = csv ? run.data.dense : criteo_numbers(run.data);
  for (CategoricalColumn column : csv ? run.data.categorical : criteo_columns(run.data.categorical)) {
    if (column.table.empty()) column.table = column.name;
    const TableIndex table = index_of(schema, run, column.table);
    const std::int32_t dim = schema.tables[static_cast<std::size_t>(table.value())].table.dim;
    schema.columns.push_back({std::move(column), table, dim, schema.embedded_width});
    schema.embedded_width = checked_cast<std::int32_t>(std::int64_t{schema.embedded_width} + dim);
  }
  return schema;
}

}  // namespace persia::config
