// Finds out whether a piece of text ends inside a quoted field, so that its newline belongs to the field.
//
// A quote opens only as the first character of a field; elsewhere in an unquoted field it is a character like
// any other. Inside, "" means one quote. Behind the closing quote only a delimiter or the end may come.
#pragma once

#include <cstddef>
#include <string_view>

#include "data/record_format.hpp"

namespace persia::data {

class QuoteScanner {
 public:
  enum class State { field_start, plain, quoted, quote_in_quoted, closed, broken };

  explicit QuoteScanner(const RecordFormat& format) : delimiter_(format.delimiter), trims_(format.trims) {}

  // Goes on where the last call ended; `record` starts at the same byte every time and only gets longer.
  State scan(std::string_view record);
  // Offset of the last quote that opened a field.
  [[nodiscard]] std::size_t opened_at() const { return opened_at_; }

 private:
  [[nodiscard]] State step(char c) const;
  void skip_ordinary(std::string_view record);

  char delimiter_;
  bool trims_;
  State state_ = State::field_start;
  std::size_t position_ = 0;
  std::size_t opened_at_ = 0;
};

}  // namespace persia::data
