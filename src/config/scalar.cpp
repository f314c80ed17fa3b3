#include "config/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace persia::config {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// Why `text` is no whole number; "" if it is one.
std::string whole_complaint(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (!digits.empty() && count_digits(digits, 0) == digits.size()) {
    if (digits.size() == 1 || digits[0] != '0') return "";
    return "has a leading zero; write it without (it is never read as octal)";
  }
  return "is no whole number; write decimal digits only, such as 1000";
}

// [+-] digits [. digits] [e [+-] digits], with at least one digit before the exponent.
bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t before = count_digits(text, at);
  at += before;
  std::size_t after = 0;
  if (at < text.size() && text[at] == '.') {
    after = count_digits(text, at + 1);
    at += 1 + after;
  }
  if (before + after == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t exponent = count_digits(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

}  // namespace

template <std::integral T>
Parsed<T> parse_whole(std::string_view text) {
  if (std::string complaint = whole_complaint(text); !complaint.empty()) return {{}, std::move(complaint)};
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return {value, ""};
  return {{},
          fmt::format("is out of range; {} to {} are possible", std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max())};
}

template Parsed<std::int32_t> parse_whole(std::string_view);
template Parsed<std::int64_t> parse_whole(std::string_view);
template Parsed<std::uint64_t> parse_whole(std::string_view);

Parsed<double> parse_number(std::string_view text) {
  if (!is_number(text)) return {{}, "is no number; write it like 0.001 or 1e-3"};
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return {{}, "is too large or too small for a double"};
  return {value, ""};
}

Parsed<bool> parse_bool(std::string_view text) {
  if (text == "true") return {true, ""};
  if (text == "false") return {false, ""};
  return {{}, "is neither true nor false"};
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::string string_text(std::string_view value) {
  const auto plain = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/' ||
           c == '.' || c == '-' || c == '+';
  };
  const bool starts_well = !value.empty() && value[0] != '-' && value[0] != '+' && value[0] != '.';
  const bool null_like = value == "null" || value == "Null" || value == "NULL";
  if (starts_well && !null_like && std::ranges::all_of(value, plain)) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else if (byte < 0x20 || byte == 0x7F)
      quoted += fmt::format("\\x{:02x}", byte);
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace persia::config
