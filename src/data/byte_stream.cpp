#include "data/byte_stream.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "data/gzip_stream.hpp"

namespace persia::data {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(const std::filesystem::path& path)
      : path_(path), file_(std::fopen(path.c_str(), "rbe")) {
    require_user(file_ != nullptr, "cannot open {}: {}", path.string(), std::strerror(errno));
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // callers bring large blocks
  }

  StreamRead read(std::span<char> into) override {
    const std::size_t bytes = std::fread(into.data(), 1, into.size(), file_.get());
    if (bytes == into.size()) return {.bytes = bytes, .state = StreamState::more};
    require_user(std::ferror(file_.get()) == 0, "cannot read {}: {}", path_.string(), std::strerror(errno));
    return {.bytes = bytes, .state = StreamState::end};
  }

  [[nodiscard]] bool compressed() const override { return false; }

  // Whether the file begins as gzip does. Post: the next read() starts at the first byte.
  bool begins_as_gzip() {
    char magic[2] = {};
    const StreamRead got = read(magic);
    std::rewind(file_.get());
    return got.bytes == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace

std::unique_ptr<ByteStream> open_byte_stream(const std::filesystem::path& path) {
  auto plain = std::make_unique<PlainStream>(path);
  if (plain->begins_as_gzip()) return make_gzip_stream(std::move(plain));
  return plain;
}

}  // namespace persia::data
