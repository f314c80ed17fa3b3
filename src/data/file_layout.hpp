// Which field of a file's rows is which column of the run file. Every csv file is matched by its own header,
// so the order of columns may differ from file to file, and columns nobody asked for are passed over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/schema.hpp"

namespace persia::data {

struct FileLayout {
  std::size_t num_fields = 0;
  std::int32_t label = -1;                // -1: no label is read
  std::vector<std::int32_t> dense;        // (num_dense) field of each
  std::vector<std::int32_t> categorical;  // (num columns) field of each
};

// label, I1 .. I13, C1 .. C26; without "label" for label: none.
[[nodiscard]] std::vector<std::string> criteo_names(bool with_label);

// `place` ("FILE:LINE" of the header, or "data.header") stands in messages. UserError for a name that stands
// twice and for a wanted column that is not there, with the nearest name.
[[nodiscard]] FileLayout match_columns(const std::vector<std::string>& names, const config::Data& data,
                                       const config::Schema& schema, const std::string& place);

[[nodiscard]] inline bool has_label(const config::Data& data) {
  return data.label.name != "none";
}

}  // namespace persia::data
