#include "data/criteo_text.hpp"

#include <charconv>

#include "base/hash.hpp"

namespace persia::data {

namespace {

void append_integer(std::int64_t value, std::string& text) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_hexadecimal(std::uint32_t word, std::string& text) {
  char digits[8];
  for (int i = 7; i >= 0; --i, word >>= 4) digits[i] = "0123456789abcdef"[word & 15];
  text.append(digits, sizeof digits);
}

}  // namespace

std::uint32_t category_word(std::uint64_t seed, std::uint32_t global_id) {
  std::uint32_t x = global_id ^ static_cast<std::uint32_t>(mix64(seed));
  for (int round = 0; round < 2; ++round) {  // each step can be undone: odd factors, shifts of half the width
    x *= 0x9E3779B1U;
    x ^= x >> 16;
  }
  return x;
}

void append_row(const CriteoRow& row, const CriteoTeacher& teacher, std::uint64_t seed, std::string& text) {
  text += row.positive ? '1' : '0';
  for (std::size_t i = 0; i < kCriteoIntegers; ++i) {
    text += '\t';
    if (!row.integer_blank[i]) append_integer(row.integers[i], text);
  }
  for (std::size_t c = 0; c < kCriteoCategories; ++c) {
    text += '\t';
    if (row.ids[c] < teacher.cardinality(c))
      append_hexadecimal(category_word(seed, teacher.global_id(c, row.ids[c])), text);
  }
  text += '\n';
}

}  // namespace persia::data
