#include "checkpoint/contents.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "checkpoint/names.hpp"
#include "checkpoint/state_columns.hpp"
#include "config/names.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

namespace {

sys::Hdf5File open_tables(const std::filesystem::path& step_folder, const Manifest& manifest,
                          std::int32_t owner) {
  return sys::Hdf5File::open(step_folder / tables_file(OwnerIndex(owner), manifest.num_owners));
}

TableContents describe(const sys::Hdf5Group& group) {
  return {.name = group.read_text("name"),
          .rows = group.read_integer("rows"),
          .dim = group.read_integer("dim"),
          .precision = group.read_text("precision"),
          .optimizer = group.read_text("optimizer"),
          .state_names = group.read_text("state_names"),
          .row_bytes = group.open_dataset("ids").row_bytes() + group.open_dataset("values").row_bytes() +
                       group.open_dataset("state").row_bytes()};
}

void require_table(const sys::Hdf5Group& tables, const std::string& table) {
  if (tables.has(link_name(table))) return;
  std::vector<std::string> names;
  for (const std::string& child : tables.children())
    names.push_back(tables.open_group(child).read_text("name"));
  const std::string near = nearest_name(table, names);
  fail_user("the checkpoint has no table '{}'{}", table,
            near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near));
}

// Makes the numbers of rows with a scale what they stand for. Shape: values (num_rows, dim).
void multiply_by_scales(const sys::Hdf5Group& group, std::int64_t num_rows, std::span<float> values) {
  const sys::Hdf5Dataset state = group.open_dataset("state");
  const auto width = static_cast<std::size_t>(state.row_bytes() / std::int64_t{4});
  const std::size_t scale = scale_column(group.read_text("name"), group.read_text("state_names"), width);
  std::vector<float> floats(static_cast<std::size_t>(num_rows) * width);
  state.read_rows(0, std::as_writable_bytes(std::span(floats)));
  const auto dim = static_cast<std::size_t>(group.read_integer("dim"));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= floats[i / dim * width + scale];
}

}  // namespace

std::vector<TableContents> list_tables(const std::filesystem::path& step_folder, const Manifest& manifest) {
  std::vector<TableContents> tables;
  for (std::int32_t owner = 0; owner < manifest.num_owners; ++owner) {
    sys::Hdf5File file = open_tables(step_folder, manifest, owner);
    const sys::Hdf5Group stored = file.root().open_group("tables");
    const std::vector<std::string> children = stored.children();
    require_user(owner == 0 || children.size() == tables.size(), "{} holds unequal tables in its files",
                 step_folder.string());
    for (std::size_t i = 0; i < children.size(); ++i) {
      TableContents found = describe(stored.open_group(children[i]));
      if (owner == 0)
        tables.push_back(std::move(found));
      else
        tables[i].rows += found.rows;
    }
  }
  return tables;
}

std::vector<DenseContents> list_parameters(const std::filesystem::path& step_folder) {
  sys::Hdf5File file = sys::Hdf5File::open(step_folder / dense_file);
  const sys::Hdf5Group parameters = file.root().open_group("parameters");
  std::vector<DenseContents> result;
  for (const std::string& name : parameters.children())
    result.push_back({name, parameters.open_dataset(name).shape()});
  return result;
}

SampledRows sample_rows(const std::filesystem::path& step_folder, const Manifest& manifest,
                        const std::string& table, std::int64_t limit) {
  SampledRows sample;
  for (std::int32_t owner = 0; owner < manifest.num_owners; ++owner) {
    sys::Hdf5File file = open_tables(step_folder, manifest, owner);
    const sys::Hdf5Group stored = file.root().open_group("tables");
    require_table(stored, table);
    const sys::Hdf5Group group = stored.open_group(link_name(table));
    const std::int64_t wanted = limit - static_cast<std::int64_t>(sample.ids.size());
    const std::int64_t count = std::clamp<std::int64_t>(wanted, 0, group.read_integer("rows"));
    std::vector<FeatureId> ids(static_cast<std::size_t>(count));
    std::vector<float> values(static_cast<std::size_t>(count * group.read_integer("dim")));
    group.open_dataset("ids").read_rows(0, std::as_writable_bytes(std::span(ids)));
    group.open_dataset("values").read_rows_as_float(0, values);
    if (group.read_text("precision") == config::name_of(config::Precision::int8))
      multiply_by_scales(group, count, values);
    sample.ids.insert(sample.ids.end(), ids.begin(), ids.end());
    sample.values.insert(sample.values.end(), values.begin(), values.end());
  }
  return sample;
}

}  // namespace persia::checkpoint
