#include "data/file_layout.hpp"

#include <fmt/ranges.h>

#include <unordered_map>

#include "base/error.hpp"
#include "data/printable.hpp"

namespace persia::data {

namespace {

using Places = std::unordered_map<std::string, std::int32_t>;

Places number_names(const std::vector<std::string>& names, const std::string& place) {
  Places places;
  for (const std::string& name : names) {
    const bool is_new = places.emplace(name, static_cast<std::int32_t>(places.size())).second;
    require_user(is_new, "{}: the column '{}' stands twice in the header; rename one of the two", place,
                 printable(name));
  }
  return places;
}

std::int32_t find_column(const std::string& wanted, const Places& places,
                         const std::vector<std::string>& names, const std::string& place) {
  const auto found = places.find(wanted);
  if (found != places.end()) return found->second;
  const std::string nearest = nearest_name(wanted, names);
  fail_user("{}: there is no column '{}'{}; the columns are {}", place, wanted,
            nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", printable(nearest)),
            printable(fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

std::vector<std::string> criteo_names(bool with_label) {
  std::vector<std::string> names;
  if (with_label) names.emplace_back("label");
  for (int i = 1; i <= 13; ++i) names.push_back(fmt::format("I{}", i));
  for (int i = 1; i <= 26; ++i) names.push_back(fmt::format("C{}", i));
  return names;
}

FileLayout match_columns(const std::vector<std::string>& names, const config::Data& data,
                         const config::Schema& schema, const std::string& place) {
  const Places places = number_names(names, place);
  FileLayout layout;
  layout.num_fields = names.size();
  const auto find = [&](const std::string& wanted) { return find_column(wanted, places, names, place); };
  if (has_label(data)) layout.label = data.format == config::DataFormat::criteo ? 0 : find(data.label.name);
  for (const config::DenseColumn& column : schema.dense) layout.dense.push_back(find(column.name));
  for (const config::ColumnSchema& column : schema.columns)
    layout.categorical.push_back(find(column.column.name));
  return layout;
}

}  // namespace persia::data
