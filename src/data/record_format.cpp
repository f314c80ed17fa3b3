#include "data/record_format.hpp"

#include "base/error.hpp"

namespace persia::data {

RecordFormat record_format(const config::Data& data) {
  if (data.format != config::DataFormat::csv) return {};
  std::string delimiter = data.delimiter;
  while (delimiter.size() > 1 && delimiter.back() == ' ') delimiter.pop_back();
  const bool usable = delimiter.size() == 1 && delimiter != "\"" && delimiter != "\n" && delimiter != "\r";
  require_user(usable, "data.delimiter '{}' cannot separate fields; give one character such as ',' or '\\t'",
               data.delimiter);
  return {.delimiter = delimiter[0], .quotes = true, .trims = delimiter[0] != ' ', .comment = data.comment};
}

}  // namespace persia::data
