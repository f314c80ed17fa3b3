#include "base/block_file.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"

namespace persia {

namespace {

// 0: no error, but the file gave or took nothing.
std::string reason(int error) {
  return error == 0 ? "no bytes were transferred" : std::generic_category().message(error);
}

std::string_view advice(int error) {
  if (error == ENOSPC || error == EDQUOT)
    return "; free space there, name a folder on a larger disk or keep fewer rows";
  if (error == EFBIG) return "; raise this user's limit of the size of a file (ulimit -f)";
  return "";
}

// A name for as long as it takes to remove it, where the file system has no files without one. -1: errno says
// why not.
int open_and_unlink(const std::filesystem::path& folder) {
  std::string name = (folder / ".persia-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0 || ::unlink(name.c_str()) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

std::size_t checked_block_bytes(std::size_t bytes) {
  expects(bytes > 0 && bytes % kBlockAlignment == 0, "blocks of a multiple of kBlockAlignment bytes");
  return bytes;
}

int open_scratch(const std::filesystem::path& folder) {
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) descriptor = open_and_unlink(folder);
  const int error = descriptor < 0 ? errno : 0;
  require_user(
      error == 0,
      "cannot make a scratch file in the folder {}: {}; name a folder on a local disk that exists and "
      "may be written to",
      folder.string(), reason(error));
  return descriptor;
}

bool pass_page_cache_by(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && ::fcntl(descriptor, F_SETFL, flags | O_DIRECT) == 0;
}

struct Transfer {
  std::size_t done;
  int error;  // of the call that ended it before all was done
};

// call(done) is pread or pwrite of the bytes behind the first `done`: again and again, as they may be cut
// short.
template <class Call>
Transfer transfer_all(std::size_t bytes, const Call& call) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t n = call(done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {done, n < 0 ? errno : 0};
    done += static_cast<std::size_t>(n);
  }
  return {done, 0};
}

}  // namespace

BlockBuffer::BlockBuffer(std::size_t bytes)
    : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kBlockAlignment}))) {
  std::memset(data_.get(), 0, bytes);
}

BlockFile::BlockFile(const std::filesystem::path& folder, std::size_t block_bytes)
    : folder_(folder),
      block_bytes_(checked_block_bytes(block_bytes)),
      descriptor_(open_scratch(folder)),
      direct_(pass_page_cache_by(descriptor_)) {}

BlockFile::~BlockFile() {
  ::close(descriptor_);
}

void BlockFile::write(std::int64_t block, const std::byte* data) {
  const std::int64_t begin = block * static_cast<std::int64_t>(block_bytes_);
  const Transfer result = transfer_all(block_bytes_, [&](std::size_t done) {
    return ::pwrite(descriptor_, data + done, block_bytes_ - done, begin + static_cast<std::int64_t>(done));
  });
  require(result.done == block_bytes_, "cannot write {} bytes at byte {} of the scratch file in {}: {}{}",
          block_bytes_, begin, folder_.string(), reason(result.error), advice(result.error));
}

void BlockFile::read(std::int64_t block, std::byte* data) const {
  const std::int64_t begin = block * static_cast<std::int64_t>(block_bytes_);
  const Transfer result = transfer_all(block_bytes_, [&](std::size_t done) {
    return ::pread(descriptor_, data + done, block_bytes_ - done, begin + static_cast<std::int64_t>(done));
  });
  require(result.done == block_bytes_, "cannot read {} bytes at byte {} of the scratch file in {}: {}",
          block_bytes_, begin, folder_.string(), reason(result.error));
}

}  // namespace persia
