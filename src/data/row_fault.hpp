// Why a row cannot be used: an ordinary outcome, since the run file may say to skip such rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace persia::data {

struct RowFault {
  std::string text;                   // "column 'price': 'abc' is not a number"
  std::optional<std::size_t> offset;  // of the byte concerned; none: the whole row
};

}  // namespace persia::data
