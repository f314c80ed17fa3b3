#include "data/record_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "data/quote_scanner.hpp"

namespace persia::data {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 17;
constexpr std::size_t kLongestRecordBytes = std::size_t{1} << 26;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

TextPlace place_in(std::string_view text, std::size_t offset, std::int64_t first_line) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return {.line = first_line + std::count(before.begin(), before.end(), '\n'),
          .column = static_cast<std::int64_t>(before.size() - line_start) + 1};
}

RecordReader::RecordReader(std::filesystem::path path, RecordFormat format)
    : path_(std::move(path)),
      format_(std::move(format)),
      stream_(open_byte_stream(path_)),
      buffer_(kBlockBytes) {
  load_more();
  require_text();
  skip_byte_order_mark();
}

// UTF-16 opens with one of its two byte order marks, and without one it has, as binary files have, zero
// bytes.
void RecordReader::require_text() {
  const std::string_view start = pending(end_);
  const std::string_view line = start.substr(0, start.find('\n'));
  const bool utf16 = line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF");
  if (!utf16 && line.find('\0') == std::string_view::npos) return;
  verify_rest();
  fail_user(
      "{}:1: the line is not UTF-8 text (UTF-16?); give a text file, converted if need be: iconv -f UTF-16 "
      "-t UTF-8 OLD > NEW",
      path_.string());
}

void RecordReader::skip_byte_order_mark() {
  if (pending(end_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
}

std::optional<Record> RecordReader::next() {
  while (const std::optional<std::size_t> end = line_end(0)) {
    const std::int64_t line = line_;
    std::int64_t lines = 1;
    std::size_t bytes = *end;
    const bool comment = is_comment(pending(bytes));
    if (format_.quotes && !comment && std::memchr(buffer_.data() + begin_, '"', bytes) != nullptr)
      bytes = record_end(bytes, lines);
    std::string_view text = pending(bytes);
    begin_ = std::min(begin_ + bytes + 1, end_);
    line_ += lines;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() || comment) continue;
    ++records_;
    return Record{text, line};
  }
  return std::nullopt;
}

std::optional<Record> RecordReader::take_header() {
  std::optional<Record> header = next();
  records_ = 0;
  return header;
}

// Bytes in front of the first newline that is at least `from` bytes ahead, or all that is left of the file.
std::optional<std::size_t> RecordReader::line_end(std::size_t from) {
  while (true) {
    const std::size_t have = end_ - begin_;
    const char* start = buffer_.data() + begin_;
    if (from < have) {
      const void* newline = std::memchr(start + from, '\n', have - from);
      if (newline != nullptr) return static_cast<std::size_t>(static_cast<const char*>(newline) - start);
    }
    if (state_ != StreamState::more) {
      finish();
      if (have == 0) return std::nullopt;
      return have;
    }
    from = std::max(from, have);
    load_more();
  }
}

// Extends a record over the newlines inside its quotes.
std::size_t RecordReader::record_end(std::size_t first_line_end, std::int64_t& lines) {
  using State = QuoteScanner::State;
  QuoteScanner scanner(format_);
  std::size_t end = first_line_end;
  while (true) {
    const State state = scanner.scan(pending(end));
    if (state != State::quoted && state != State::broken) return end;
    const bool at_end = begin_ + end >= end_ && state_ != StreamState::more;
    if (state == State::broken || at_end) {
      const TextPlace place = place_in(pending(end), scanner.opened_at(), line_);
      const std::int64_t records = records_;
      verify_rest();
      fail_user(
          "{}:{}:{}: the quote that opens here {} (after {} good rows); write a quote inside quotes as \"\"",
          path_.string(), place.line, place.column,
          at_end ? "is never closed" : "closes and is followed by text", records);
    }
    end = line_end(end + 1).value_or(end);
    ++lines;
  }
}

void RecordReader::load_more() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  require_user(end_ < kLongestRecordBytes,
               "{}:{}: a row of more than {} MiB; is this a text file with one row per line?", path_.string(),
               line_, kLongestRecordBytes >> 20);
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const StreamRead got = stream_->read(std::span(buffer_).subspan(end_));
  end_ += got.bytes;
  state_ = got.state;
}

// Pre: the stream has no more bytes. Only a true end passes.
void RecordReader::finish() {
  require_user(
      state_ != StreamState::ends_early,
      "{} ends early: the compressed data stop in the middle, {} rows were read so far; copy or download "
      "the file again",
      path_.string(), records_);
  require_user(
      state_ != StreamState::damaged,
      "{} is damaged: the compressed data contradict their checksum, {} rows were read so far; copy or "
      "download the file again",
      path_.string(), records_);
}

void RecordReader::verify_rest() {
  if (!stream_->compressed()) return;
  while (state_ == StreamState::more) {
    begin_ = end_ = 0;
    load_more();
  }
  begin_ = end_;
  finish();
}

bool RecordReader::is_comment(std::string_view line) const {
  return !format_.comment.empty() && line.starts_with(format_.comment);
}

}  // namespace persia::data
