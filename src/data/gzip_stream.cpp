#include "data/gzip_stream.hpp"

#include <zlib.h>

#include <vector>

#include "base/error.hpp"

namespace persia::data {

namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 15 + 16;  // zlib's windowBits: largest window, gzip header and trailer checked

// Stays where it was made: zlib keeps a pointer back to its z_stream.
class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(std::unique_ptr<ByteStream> compressed)
      : compressed_(std::move(compressed)), input_(kInputBytes) {
    require(inflateInit2(&zlib_, kGzipOnly) == Z_OK, "zlib cannot start: {}", zlib_.msg ? zlib_.msg : "?");
  }
  ~GzipStream() override { inflateEnd(&zlib_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  StreamRead read(std::span<char> into) override {
    zlib_.next_out = reinterpret_cast<Bytef*>(into.data());
    zlib_.avail_out = static_cast<uInt>(into.size());
    while (zlib_.avail_out > 0 && state_ == StreamState::more) state_ = advance();
    return {.bytes = into.size() - zlib_.avail_out, .state = state_};
  }

  [[nodiscard]] bool compressed() const override { return true; }

 private:
  StreamState advance() {
    if (zlib_.avail_in == 0) load_input();
    if (between_members_) skip_padding();
    if (zlib_.avail_in == 0) {
      if (!input_ended_) return StreamState::more;
      return between_members_ ? StreamState::end : StreamState::ends_early;
    }
    between_members_ = false;
    const int code = inflate(&zlib_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      between_members_ = true;
      require(inflateReset(&zlib_) == Z_OK, "zlib cannot start the next gzip member");
      return StreamState::more;
    }
    require(code != Z_MEM_ERROR, "zlib ran out of memory");
    return code == Z_OK || code == Z_BUF_ERROR ? StreamState::more : StreamState::damaged;
  }

  void load_input() {
    if (input_ended_) return;
    const StreamRead got = compressed_->read(input_);
    input_ended_ = got.state != StreamState::more;
    zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
    zlib_.avail_in = static_cast<uInt>(got.bytes);
  }

  // Some writers fill the last block with zeros.
  void skip_padding() {
    while (zlib_.avail_in > 0 && *zlib_.next_in == 0) {
      ++zlib_.next_in;
      --zlib_.avail_in;
    }
  }

  std::unique_ptr<ByteStream> compressed_;
  std::vector<char> input_;
  z_stream zlib_{};
  bool input_ended_ = false;
  bool between_members_ = false;  // a member ended here: the only place where the file may end
  StreamState state_ = StreamState::more;
};

}  // namespace

std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed) {
  return std::make_unique<GzipStream>(std::move(compressed));
}

}  // namespace persia::data
