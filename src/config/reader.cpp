#include "config/reader.hpp"

#include <utility>

#include "base/file.hpp"
#include "config/overrides.hpp"
#include "config/read_visitor.hpp"
#include "config/schema.hpp"

namespace persia::config {

namespace {

std::string absolute_directory(const std::string& directory, const std::string& source) {
  std::filesystem::path path = std::filesystem::path(source).parent_path();
  if (!directory.empty()) path /= directory;
  if (path.empty()) path = ".";
  path = std::filesystem::absolute(path).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

// Tables in the order of first use, those that no column uses (validate() refuses them) behind.
std::vector<NamedTable> all_tables(const RunFile& run) {
  std::vector<NamedTable> tables;
  for (const TableSchema& schema : make_schema(run).tables) tables.push_back({schema.name, schema.table});
  const std::size_t used = tables.size();
  for (const NamedTable& written : run.tables) {
    const auto end = tables.begin() + static_cast<std::ptrdiff_t>(used);
    if (std::find_if(tables.begin(), end, [&](auto& t) { return t.name == written.name; }) == end)
      tables.push_back(written);
  }
  return tables;
}

void resolve(RunFile& run) {
  if (run.output.empty()) run.output = "runs/" + run.name;
  run.data.directory = absolute_directory(run.data.directory, run.source);
  run.tables = all_tables(run);
  for (CategoricalColumn& column : run.data.categorical)
    if (column.table.empty()) column.table = column.name;
}

}  // namespace

RunFile parse_run_file(const std::string& text, const std::string& name,
                       const std::vector<std::string>& overrides, Purpose purpose) {
  Node root = parse_yaml(text, name);
  require_user(root.kind != Node::Kind::null,
               "{}: the run file is empty; `persia train --print-default` shows one", name);
  require_user(root.kind == Node::Kind::map,
               "{}: the run file is {}, not a map of keys; `persia train --print-default` shows one",
               root.origin, kind_text(root));
  apply_overrides(root, overrides);
  RunFile run;
  run.source = name;
  Origins origins(name);
  ReadVisitor visitor(root, "", origins);
  describe(visitor, run);
  visitor.refuse_unknown();
  resolve(run);
  validate(run, origins, purpose);
  return run;
}

RunFile read_run_file(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                      Purpose purpose) {
  return parse_run_file(read_text_file(path), path.string(), overrides, purpose);
}

}  // namespace persia::config
