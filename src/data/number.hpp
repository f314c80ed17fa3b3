// Numbers in data files. Whole numbers stay exact: they never pass through floating point on their way.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace persia::data {

struct Number {
  double real = 0;           // infinite for texts such as "inf" and "1e999", not a number for "nan"
  std::int64_t integer = 0;  // exact value if is_integer
  bool is_integer = false;   // written as a whole number within 64 bits
};

// Spaces around and one leading '+' are allowed. nullopt: not a number.
[[nodiscard]] std::optional<Number> parse_number(std::string_view text);

// Whole numbers only; nullopt also if out of range.
[[nodiscard]] std::optional<std::int64_t> parse_signed(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

// Whether it consists of an optional sign and digits: a whole number, perhaps one out of range.
[[nodiscard]] bool is_whole_number(std::string_view text);

}  // namespace persia::data
