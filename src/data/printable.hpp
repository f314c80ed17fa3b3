// Text from data files as it may stand in a message: a terminal obeys control characters, and bytes that are
// no UTF-8 show as nothing.
#pragma once

#include <string>
#include <string_view>

namespace persia::data {

// Control characters and bytes outside well-formed UTF-8 as \xNN, the rest as it is.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace persia::data
