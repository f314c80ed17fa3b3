#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/contents.hpp"
#include "checkpoint/folders.hpp"
#include "commands/inspect.hpp"
#include "config/reader.hpp"
#include "config/schema.hpp"
#include "data/feature_id.hpp"

namespace persia::commands {

namespace {

namespace fs = std::filesystem;
using checkpoint::Manifest;
using checkpoint::TableContents;
using nlohmann::ordered_json;

// How the ids of each table are written: as its first column writes them.
std::map<std::string, config::CategoryType> id_types(const Manifest& manifest) {
  const config::RunFile run = config::parse_run_file(manifest.run_file, "the checkpoint's run file", {});
  const config::Schema schema = config::make_schema(run);
  std::map<std::string, config::CategoryType> types;
  for (const config::ColumnSchema& column : schema.columns)
    types.emplace(schema.tables[static_cast<std::size_t>(column.table.value())].name, column.column.type);
  return types;
}

ordered_json files_json(const Manifest& manifest) {
  ordered_json files = ordered_json::array();
  for (const checkpoint::FileEntry& file : manifest.files)
    files.push_back({{"name", file.name},
                     {"bytes", file.bytes},
                     {"checksum", fmt::format("{:016x}", file.checksum)},
                     {"rows", file.rows}});
  return files;
}

// Ids as text: JSON numbers lose digits in many readers.
ordered_json rows_json(const fs::path& folder, const Manifest& manifest, const TableContents& table,
                       config::CategoryType type, std::int64_t limit) {
  const checkpoint::SampledRows sample = checkpoint::sample_rows(folder, manifest, table.name, limit);
  const auto dim = static_cast<std::size_t>(table.dim);
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < sample.ids.size(); ++i) {
    const auto begin = sample.values.begin() + static_cast<std::ptrdiff_t>(i * dim);
    rows.push_back({{"id", data::feature_id_text(sample.ids[i], type)},
                    {"values", std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(dim))}});
  }
  return rows;
}

ordered_json tables_json(const fs::path& folder, const Manifest& manifest, const InspectOptions& options) {
  const auto types = options.ids ? id_types(manifest) : std::map<std::string, config::CategoryType>();
  ordered_json tables = ordered_json::array();
  std::vector<std::string> names;
  for (const TableContents& table : checkpoint::list_tables(folder, manifest)) {
    names.push_back(table.name);
    if (!options.table.empty() && table.name != options.table) continue;
    ordered_json entry = {{"name", table.name},
                          {"rows", table.rows},
                          {"dim", table.dim},
                          {"precision", table.precision},
                          {"optimizer", table.optimizer},
                          {"state", table.state_names},
                          {"bytes", table.rows * table.row_bytes}};
    if (options.ids) {
      const auto type = types.find(table.name);
      entry["first_rows"] = rows_json(
          folder, manifest, table,
          type == types.end() ? config::CategoryType::unsigned_integer : type->second, options.limit);
    }
    tables.push_back(std::move(entry));
  }
  const std::string near = nearest_name(options.table, names);
  require_user(options.table.empty() || !tables.empty(), "the checkpoint has no table '{}'{}", options.table,
               near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near));
  return tables;
}

ordered_json parameters_json(const fs::path& folder) {
  ordered_json parameters = ordered_json::array();
  for (const checkpoint::DenseContents& block : checkpoint::list_parameters(folder))
    parameters.push_back({{"name", block.name}, {"shape", block.shape}});
  return parameters;
}

// A directory whose newest checkpoint cannot be used is no verified one, however good an older one is.
void verify(const InspectOptions& options, const fs::path& folder, const Manifest& manifest) {
  if (folder != fs::path(options.checkpoint))
    for (const checkpoint::DamagedFolder& damaged :
         checkpoint::damaged_since({folder, manifest.step, manifest.created}))
      fail_user("{}; older is {}", damaged.reason, folder.string());
  checkpoint::verify(folder, manifest);
}

}  // namespace

ordered_json inspect_report(const InspectOptions& options) {
  const std::optional<fs::path> folder = checkpoint::find_newest(options.checkpoint);
  require_user(folder.has_value(), "no complete checkpoint in {}", options.checkpoint);
  const Manifest manifest = checkpoint::read_manifest(*folder);
  if (options.verify) verify(options, *folder, manifest);  // before anything of it is believed
  return {{"checkpoint", folder->string()},
          {"step", manifest.step.value()},
          {"epoch", manifest.position.epoch},
          {"batch_in_epoch", manifest.position.batch_in_epoch},
          {"created", manifest.created},
          {"num_owners", manifest.num_owners},
          {"tables", tables_json(*folder, manifest, options)},
          {"parameters", parameters_json(*folder)},
          {"files", files_json(manifest)},
          {"verified", options.verify}};
}

}  // namespace persia::commands
