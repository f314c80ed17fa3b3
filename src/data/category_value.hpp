// One categorical column's text to its ids.
//
// Without a separator: exactly one id, kMissingId for a blank. With one: the list's ids in order, none for a
// blank; empty elements ("a||b") count as nothing. max_length keeps one end of a longer list. Of tables that
// compose (id_space.hpp), each of these ids becomes its rows; one that is left out becomes none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema.hpp"
#include "data/batch.hpp"
#include "data/id_space.hpp"

namespace persia::data {

class CategoryReader {
 public:
  CategoryReader(config::CategoricalColumn column, const config::TableSchema& table);

  // Appends to `ids` and counts blanks and truncations. Otherwise returns what is wrong ("'abc' is not a
  // whole number from 0 to 18446744073709551615"), with `ids` in any state.
  std::optional<std::string> read(std::string_view text, std::vector<FeatureId>& ids,
                                  ReadCounts& counts) const;

 private:
  std::optional<std::string> read_values(std::string_view text, std::vector<FeatureId>& ids,
                                         ReadCounts& counts) const;
  std::optional<std::string> append(std::string_view text, std::vector<FeatureId>& ids,
                                    ReadCounts& counts) const;
  std::optional<std::string> read_list(std::string_view text, std::vector<FeatureId>& ids,
                                       ReadCounts& counts) const;

  config::CategoricalColumn column_;
  std::uint64_t table_salt_;
  IdSpace space_;
};

}  // namespace persia::data
