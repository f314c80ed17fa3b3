#include "data/category_value.hpp"

#include <fmt/format.h>

#include "data/dense_value.hpp"
#include "data/feature_id.hpp"
#include "data/number.hpp"

namespace persia::data {

namespace {

std::optional<FeatureId> integer_id(std::string_view text, config::CategoryType type) {
  if (type == config::CategoryType::unsigned_integer) {
    const std::optional<std::uint64_t> value = parse_unsigned(text);
    return value ? std::optional(FeatureId(*value)) : std::nullopt;
  }
  const std::optional<std::int64_t> value = parse_signed(text);
  return value ? std::optional(FeatureId(static_cast<std::uint64_t>(*value))) : std::nullopt;
}

std::string refusal(std::string_view text, config::CategoryType type) {
  const std::string range = type == config::CategoryType::unsigned_integer
                                ? "0 to 18446744073709551615"
                                : "-9223372036854775808 to 9223372036854775807";
  return fmt::format("'{}' is {} {}; use type: string to take any text", text,
                     is_whole_number(text) ? "outside" : "not a whole number from", range);
}

}  // namespace

CategoryReader::CategoryReader(config::CategoricalColumn column, const config::TableSchema& table)
    : column_(std::move(column)), table_salt_(table.salt), space_(table) {}

std::optional<std::string> CategoryReader::read(std::string_view text, std::vector<FeatureId>& ids,
                                                ReadCounts& counts) const {
  const std::size_t begin = ids.size();
  std::optional<std::string> fault = read_values(text, ids, counts);
  if (!fault) space_.compose(ids, begin);
  return fault;
}

std::optional<std::string> CategoryReader::read_values(std::string_view text, std::vector<FeatureId>& ids,
                                                       ReadCounts& counts) const {
  if (text.empty() || (column_.type != config::CategoryType::string && is_blank(text))) {
    ++counts.blank_categories;
    if (column_.separator.empty()) ids.push_back(kMissingId);
    return std::nullopt;
  }
  return column_.separator.empty() ? append(text, ids, counts) : read_list(text, ids, counts);
}

std::optional<std::string> CategoryReader::append(std::string_view text, std::vector<FeatureId>& ids,
                                                  ReadCounts& counts) const {
  if (column_.type == config::CategoryType::string) {
    ids.push_back(space_.bounded(string_id(text, table_salt_)));
    return std::nullopt;
  }
  const std::optional<FeatureId> id = integer_id(text, column_.type);
  if (!id && !(space_.has_limit() && is_whole_number(text))) return refusal(text, column_.type);
  if (id == kMissingId && !space_.has_limit())
    return fmt::format("'{}' is the one number that stands for a blank; use type: string", text);
  FeatureId row = id ? *id : string_id(text, table_salt_);
  const IdSpace::Fate fate = id ? space_.admit(row) : space_.beyond(row);
  if (fate == IdSpace::Fate::refused) return fmt::format("'{}' is {}", text, space_.refusal());
  if (fate != IdSpace::Fate::good) ++counts.bad_ids;
  if (fate != IdSpace::Fate::left_out) ids.push_back(row);
  return std::nullopt;
}

std::optional<std::string> CategoryReader::read_list(std::string_view text, std::vector<FeatureId>& ids,
                                                     ReadCounts& counts) const {
  const std::size_t begin = ids.size();
  while (true) {
    const std::size_t stop = text.find(column_.separator);
    const std::string_view element = text.substr(0, stop);
    if (!element.empty())
      if (std::optional<std::string> fault = append(element, ids, counts)) return fault;
    if (stop == std::string_view::npos) break;
    text.remove_prefix(stop + column_.separator.size());
  }
  const std::size_t limit = static_cast<std::size_t>(column_.max_length);
  const std::size_t length = ids.size() - begin;
  if (limit == 0 || length <= limit) return std::nullopt;
  ++counts.truncated_lists;
  const auto first = ids.begin() + static_cast<std::ptrdiff_t>(begin);
  if (column_.keep == config::Keep::last)
    ids.erase(first, first + static_cast<std::ptrdiff_t>(length - limit));
  else
    ids.resize(begin + limit);
  return std::nullopt;
}

}  // namespace persia::data
