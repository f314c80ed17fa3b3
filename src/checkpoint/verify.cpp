#include "base/error.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/file_entry.hpp"

namespace persia::checkpoint {

namespace {

constexpr const char* remedy = "use another checkpoint, or restore the file from a copy";

void verify_file(const std::filesystem::path& path, const FileEntry& expected) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  require_user(!error, "checkpoint file {} is missing or unreadable ({}); {}", path.string(), error.message(),
               remedy);
  require_user(static_cast<std::int64_t>(bytes) == expected.bytes,
               "checkpoint file {} has {} bytes, {} expected: it was {}; {}", path.string(), bytes,
               expected.bytes, static_cast<std::int64_t>(bytes) < expected.bytes ? "cut short" : "altered",
               remedy);
  const FileEntry found = measure_file(path, expected.rows);
  require_user(found.checksum == expected.checksum,
               "checkpoint file {} has checksum {:016x}, {:016x} expected: it was altered; {}", path.string(),
               found.checksum, expected.checksum, remedy);
}

}  // namespace

void verify(const std::filesystem::path& step_folder, const Manifest& manifest) {
  for (const FileEntry& entry : manifest.files) verify_file(step_folder / entry.name, entry);
}

}  // namespace persia::checkpoint
