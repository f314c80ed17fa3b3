// One row's text to its fields.
//
// Fields point into the row's text, or into the splitter for quoted fields: valid until the next split() and
// as long as the text. Pre: quoting is well formed (RecordReader saw to it).
// Cost: one pass over the bytes, no allocation after the first rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/record_format.hpp"

namespace persia::data {

struct Field {
  std::string_view text;   // without quotes
  std::size_t offset = 0;  // of its first byte in the row
};

class FieldSplitter {
 public:
  explicit FieldSplitter(RecordFormat format) : format_(std::move(format)) {}
  std::span<const Field> split(std::string_view row);

 private:
  void split_plain(std::string_view row);
  void split_quoted(std::string_view row);
  std::size_t take_quoted(std::string_view row, std::size_t at);

  RecordFormat format_;
  std::vector<Field> fields_;
  std::string unquoted_;  // texts of quoted fields, one after the other
};

}  // namespace persia::data
