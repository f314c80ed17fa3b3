#include "data/field_splitter.hpp"

#include <algorithm>
#include <cstring>

namespace persia::data {

std::span<const Field> FieldSplitter::split(std::string_view row) {
  fields_.clear();
  if (format_.quotes && std::memchr(row.data(), '"', row.size()) != nullptr)
    split_quoted(row);
  else
    split_plain(row);
  return fields_;
}

void FieldSplitter::split_plain(std::string_view row) {
  const char delimiter = format_.delimiter;
  const bool trims = format_.trims;
  const char* const start = row.data();
  const char* const end = start + row.size();
  for (const char* at = start;; ++at) {
    if (trims) at = std::find_if(at, end, [](char c) { return c != ' '; });
    const char* const stop = std::find(at, end, delimiter);
    fields_.push_back({std::string_view(at, stop), static_cast<std::size_t>(at - start)});
    if (stop == end) return;
    at = stop;
  }
}

void FieldSplitter::split_quoted(std::string_view row) {
  unquoted_.clear();
  unquoted_.reserve(row.size());  // never moves afterwards: fields point into it
  std::size_t at = 0;
  while (true) {
    if (format_.trims) at = std::min(row.find_first_not_of(' ', at), row.size());
    std::size_t stop = at;
    if (at < row.size() && row[at] == '"') {
      stop = take_quoted(row, at);
    } else {
      stop = std::min(row.find(format_.delimiter, at), row.size());
      fields_.push_back({row.substr(at, stop - at), at});
    }
    if (stop == row.size()) return;
    at = stop + 1;
  }
}

// Returns the offset of the delimiter behind the quoted field at `at`, or the row's size.
std::size_t FieldSplitter::take_quoted(std::string_view row, std::size_t at) {
  const std::size_t begin = unquoted_.size();
  std::size_t from = at + 1;
  while (true) {
    const std::size_t quote = std::min(row.find('"', from), row.size());
    unquoted_.append(row.substr(from, quote - from));
    from = std::min(quote + 1, row.size());
    if (from >= row.size() || row[from] != '"') break;
    unquoted_ += '"';
    ++from;
  }
  fields_.push_back({std::string_view(unquoted_).substr(begin), at});
  return std::min(row.find(format_.delimiter, from), row.size());
}

}  // namespace persia::data
