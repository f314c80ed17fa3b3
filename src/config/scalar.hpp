// Texts of a run file to numbers and back, one grammar for files and overrides, independent of the locale.
//
// Whole numbers: decimal digits with an optional minus, nothing else (1_000, 010, 0x10, 1e3, 1.0 are refused
// with the reason). Numbers: decimal digits with optional sign, point and exponent (1e-3, 1E-3, .001, 5.);
// finite.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace persia::config {

template <class T>
struct Parsed {
  std::optional<T> value;
  std::string complaint;  // "is no whole number (digits only; write 1000)"; "" if there is a value
};

// T: std::int32_t, std::int64_t or std::uint64_t.
template <std::integral T>
[[nodiscard]] Parsed<T> parse_whole(std::string_view text);
[[nodiscard]] Parsed<double> parse_number(std::string_view text);
[[nodiscard]] Parsed<bool> parse_bool(std::string_view text);

// The shortest text that parse_number reads back to the same value.
[[nodiscard]] std::string number_text(double value);
// As YAML, in quotes where plain text would not read back as the same string in every context.
[[nodiscard]] std::string string_text(std::string_view value);

}  // namespace persia::config
