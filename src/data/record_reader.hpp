// The rows of one file as text: newlines found at memory speed, LF or CRLF, with or without a last newline.
//
// No row: empty lines, comment lines, a byte order mark. Line numbers count them all, from 1.
// Errors (UserError): a file that is not text, told by its first line, before any row; a compressed file that
// ends early or is damaged, naming it and the rows read so far; a
// quote that is never closed or is followed by other text, at the line and column where it opens; a row above
// 64 MiB. They are thrown when the rows before the fault have been given out.
// Memory: one block of 128 KiB, more only for longer rows. Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_stream.hpp"
#include "data/record_format.hpp"

namespace persia::data {

struct Record {
  std::string_view text;  // without line end; valid until the next call
  std::int64_t line = 0;  // of its first character
};

class RecordReader {
 public:
  RecordReader(std::filesystem::path path, RecordFormat format);

  // nullopt at the end of the file.
  std::optional<Record> next();
  // As next(), for a line that names the columns: it is not counted among the rows read.
  std::optional<Record> take_header();
  // For a fault in a compressed file's text: reads on to the end so that damage is told as damage and not as
  // a malformed row. Throws if the rest does not decompress; otherwise the reader is at its end.
  void verify_rest();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<std::size_t> line_end(std::size_t from);
  std::size_t record_end(std::size_t first_line_end, std::int64_t& lines);
  void load_more();
  void skip_byte_order_mark();
  void require_text();
  void finish();
  [[nodiscard]] bool is_comment(std::string_view line) const;
  [[nodiscard]] std::string_view pending(std::size_t bytes) const { return {buffer_.data() + begin_, bytes}; }

  std::filesystem::path path_;
  RecordFormat format_;
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // [begin_, end_) of buffer_ was read but not given out
  std::size_t end_ = 0;
  StreamState state_ = StreamState::more;
  std::int64_t line_ = 1;  // of buffer_[begin_]
  std::int64_t records_ = 0;
};

// Line and column (from 1, in bytes) of one place in a record that may hold newlines.
struct TextPlace {
  std::int64_t line = 0;
  std::int64_t column = 0;
};
[[nodiscard]] TextPlace place_in(std::string_view text, std::size_t offset, std::int64_t first_line);

}  // namespace persia::data
