#include "data/number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

namespace persia::data {

namespace {

std::string_view strip(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = strip(text);
  T value{};
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Texts beyond double's range: strtod tells too large (infinite) from too small (0 or subnormal).
double parse_extreme(std::string_view text) {
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace

std::optional<std::int64_t> parse_signed(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

bool is_whole_number(std::string_view text) {
  text = strip(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Number> parse_number(std::string_view text) {
  if (const std::optional<std::int64_t> whole = parse_signed(text))
    return Number{.real = static_cast<double>(*whole), .integer = *whole, .is_integer = true};
  text = strip(text);
  Number number;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number.real);
  if (code == std::errc::invalid_argument || stop != text.data() + text.size()) return std::nullopt;
  if (code == std::errc::result_out_of_range) number.real = parse_extreme(text);
  return number;
}

}  // namespace persia::data
