// Whole numbers on the command line, by the grammar of the run file: the parser's own conversion saturates at
// the type's limits and takes -1 for an unsigned number.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <concepts>
#include <limits>
#include <string>

#include "config/scalar.hpp"

namespace persia::commands {

// Refuses texts that are no whole number from `least` to `most`.
template <std::integral T>
[[nodiscard]] CLI::Validator whole_number(T least, T most = std::numeric_limits<T>::max()) {
  const auto check = [least, most](std::string& text) -> std::string {
    const config::Parsed<T> parsed = config::parse_whole<T>(text);
    if (parsed.value && *parsed.value >= least && *parsed.value <= most) return "";
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, most == std::numeric_limits<T>::max() ? fmt::format("at least {}", least)
                                                                     : fmt::format("{} to {}", least, most));
}

}  // namespace persia::commands
