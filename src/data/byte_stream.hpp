// The bytes of one input file, decompressed if they are gzip (told by content, not by name).
//
// A gzip file may have several members and zero padding behind them. A compressed file that stops short or
// does not match its checksums is reported as a state next to the bytes that came before; it is never an
// ordinary end.
// Thread safety: one thread at a time. Used by record_reader.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace persia::data {

enum class StreamState {
  more,        // ask again
  end,         // everything was delivered
  ends_early,  // compressed data stop before their end
  damaged,     // compressed data contradict themselves
};

struct StreamRead {
  std::size_t bytes = 0;
  StreamState state = StreamState::more;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills the front of `into`. bytes < into.size() only together with a state other than `more`.
  // UserError if the system refuses to read.
  virtual StreamRead read(std::span<char> into) = 0;
  [[nodiscard]] virtual bool compressed() const = 0;
};

// UserError naming the path and the system's reason if it cannot be opened.
[[nodiscard]] std::unique_ptr<ByteStream> open_byte_stream(const std::filesystem::path& path);

}  // namespace persia::data
