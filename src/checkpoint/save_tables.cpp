#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/file_entry.hpp"
#include "checkpoint/names.hpp"
#include "checkpoint/tables_file.hpp"
#include "config/names.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

namespace {

void write_attributes(sys::Hdf5Group& group, const table::Table& table, std::int64_t rows) {
  const config::TableSchema& schema = table.schema();
  group.write_text("name", schema.name);
  group.write_integer("rows", rows);
  group.write_integer("dim", schema.table.dim);
  group.write_text("precision", std::string(config::name_of(schema.table.precision)));
  group.write_text("optimizer", std::string(config::name_of(schema.table.optimizer.type)));
  group.write_text("state_names", fmt::format("{}", fmt::join(table::state_names(schema.table), ",")));
  group.write_unsigned("salt", schema.salt);
}

// Returns the rows written.
std::int64_t write_table(sys::Hdf5Group& tables, const table::Table& table) {
  const config::TableSchema& schema = table.schema();
  const std::int64_t rows = table.statistics().rows;
  sys::Hdf5Group group = tables.create_group(link_name(schema.name));
  write_attributes(group, table, rows);
  sys::Hdf5Dataset ids = group.create_dataset("ids", sys::Hdf5Type::uint64, {rows});
  sys::Hdf5Dataset values =
      group.create_dataset("values", value_type(schema.table.precision), {rows, schema.table.dim});
  sys::Hdf5Dataset state =
      group.create_dataset("state", sys::Hdf5Type::float32, {rows, table.state_floats()});
  std::int64_t written = 0;
  const std::int64_t row_bytes = ids.row_bytes() + values.row_bytes() + state.row_bytes();
  table.for_each_block(rows_per_block(row_bytes), [&](const table::Table::Block& block) {
    ids.write_rows(written, std::as_bytes(block.ids));
    values.write_rows(written, block.values);
    state.write_rows(written, std::as_bytes(block.state));
    written += static_cast<std::int64_t>(block.ids.size());
  });
  if (schema.table.admission.policy == config::AdmissionPolicy::sightings) {
    const std::vector<std::uint64_t> sightings = table.sightings();
    group.create_dataset("sightings", sys::Hdf5Type::uint64, {std::ssize(sightings)})
        .write_rows(0, std::as_bytes(std::span(sightings)));
  }
  require(written == rows, "table {} gave {} rows to the checkpoint, but says it has {}", schema.name,
          written, rows);
  return rows;
}

}  // namespace

FileEntry save_tables(const std::filesystem::path& step_folder, OwnerIndex owner, std::int32_t num_owners,
                      Step step, std::span<const std::unique_ptr<table::Table>> tables) {
  const std::filesystem::path path = step_folder / tables_file(owner, num_owners);
  std::int64_t rows = 0;
  {
    sys::Hdf5File file = sys::Hdf5File::create(path);
    sys::Hdf5Group root = file.root();
    write_root_attributes(root, "embedding", step);
    root.write_integer("owner", owner.value());
    root.write_integer("num_owners", num_owners);
    root.write_text("placement", "splitmix64(id ^ salt); its top 32 bits * num_owners >> 32 is the owner");
    sys::Hdf5Group group = root.create_group("tables");
    for (const auto& table : tables) rows += write_table(group, *table);
    file.close();
  }
  sync_path(path);
  return measure_file(path, rows);
}

}  // namespace persia::checkpoint
