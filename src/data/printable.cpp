#include "data/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace persia::data {

namespace {

// Bytes of the well-formed UTF-8 character at the front; 0 if there is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  const std::string_view rest = text.substr(1, size - 1);
  if (!std::ranges::all_of(rest, [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0) == 0x80; }))
    return 0;
  // Overlong forms, surrogates, beyond the last code point.
  const bool wrong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                     (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : size;
}

// U+0000 .. U+001F, U+007F .. U+009F.
bool is_control(std::string_view character) {
  const auto first = static_cast<std::uint8_t>(character[0]);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<std::uint8_t>(character[1]) < 0xA0);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t whole = character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(whole, 1));
    if (whole > 0 && !is_control(character))
      result += character;
    else
      for (const char c : character) result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace persia::data
