// How the bytes of a data file are cut into rows and fields.
#pragma once

#include <string>

#include "config/run_file.hpp"

namespace persia::data {

struct RecordFormat {
  char delimiter = '\t';
  bool quotes = false;  // fields may stand in double quotes, with delimiters, newlines and "" inside
  bool trims = false;   // spaces in front of a field do not count (", " separated files)
  std::string comment;  // lines that start with this are no rows; "" = none
};

// criteo: tabs and nothing else. csv: as the run file says; a delimiter of one character and spaces means the
// character, spaces in front of fields are dropped anyway. UserError for a delimiter that cannot be one.
[[nodiscard]] RecordFormat record_format(const config::Data& data);

}  // namespace persia::data
