#include "data/text_sink.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/file.hpp"

namespace persia::data {

// zlib writes plain text too ("T"), so one handle serves both kinds.
struct TextSink::File {
  explicit File(const std::filesystem::path& path, bool gzip)
      : handle(gzopen(path.c_str(), gzip ? "wb1" : "wbT")) {}
  ~File() {
    if (handle != nullptr) gzclose(handle);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The path, and the reason of the last failure.
  [[nodiscard]] std::string problem() const {
    int code = Z_OK;
    return gzerror(handle, &code);
  }

  gzFile handle;
};

TextSink::TextSink(std::filesystem::path path, bool gzip)
    : path_(std::move(path)), temporary_(path_.string() + ".tmp") {
  file_ = std::make_unique<File>(temporary_, gzip);
  require(file_->handle != nullptr, "cannot create {}: {}", temporary_.string(), std::strerror(errno));
}

TextSink::~TextSink() {
  if (!file_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void TextSink::write(std::string_view text) {
  if (text.empty()) return;
  const auto bytes = checked_cast<unsigned>(text.size());
  const bool written = gzwrite(file_->handle, text.data(), bytes) == checked_cast<int>(bytes);
  require(written, "cannot write {}", file_->problem());
}

void TextSink::close() {
  const bool written = gzflush(file_->handle, Z_FINISH) == Z_OK;  // gzclose() forgets the reason of a failure
  require(written, "cannot write {}", file_->problem());
  const bool closed = gzclose(std::exchange(file_->handle, nullptr)) == Z_OK;
  require(closed, "cannot close {}: {}", temporary_.string(), std::strerror(errno));
  rename_durably(temporary_, path_);
  file_.reset();
}

}  // namespace persia::data
