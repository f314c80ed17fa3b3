#include "base/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace persia {

namespace {

// Owner of one file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

// Of the last failure. Not to be called beside the failing call: arguments are evaluated in any order.
std::string reason() {
  return std::strerror(errno);
}

void write_durably(const std::filesystem::path& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  require(file.get() >= 0, "cannot create {}: {}", path.string(), reason());
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    require(n >= 0, "cannot write {}: {}", path.string(), reason());
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  const bool synced = ::fsync(file.get()) == 0;
  require(synced, "cannot sync {}: {}", path.string(), reason());
  const bool closed = file.close() == 0;
  require(closed, "cannot close {}: {}", path.string(), reason());
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  require_user(file.get() >= 0, "cannot open {}: {}", path.string(), reason());
  std::string text;
  char block[65536];
  while (true) {
    const ssize_t n = ::read(file.get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    require_user(n >= 0, "cannot read {}: {}", path.string(), reason());
    if (n == 0) return text;
    text.append(block, static_cast<std::size_t>(n));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  try {
    write_durably(temporary, text);
    rename_durably(temporary, path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void sync_path(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  require(file.get() >= 0, "cannot open {} to sync it: {}", path.string(), reason());
  // Some network file systems refuse to sync a directory; the rename itself is then all that can be had.
  const bool ok = ::fsync(file.get()) == 0 || (errno == EINVAL && std::filesystem::is_directory(path));
  require(ok, "cannot sync {}: {}", path.string(), reason());
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  const bool renamed = std::rename(from.c_str(), to.c_str()) == 0;
  require(renamed, "cannot rename {} to {}: {}", from.string(), to.string(), reason());
  sync_path(to.has_parent_path() ? to.parent_path() : std::filesystem::path("."));
}

void require_writable_folder(const std::filesystem::path& folder, std::string_view purpose) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  require_user(!failed, "cannot make the folder {} ({}): {}", folder.string(), purpose, failed.message());
  std::string probe = (folder / ".persia-XXXXXX").string();
  const Descriptor file(::mkostemp(probe.data(), O_CLOEXEC));
  require_user(file.get() >= 0, "cannot write into the folder {} ({}): {}", folder.string(), purpose,
               reason());
  const bool removed = ::unlink(probe.c_str()) == 0 || errno == ENOENT;
  require(removed, "cannot remove {}: {}", probe, reason());
}

}  // namespace persia
