#include "checkpoint/file_entry.hpp"

#include <fstream>
#include <vector>

#include "base/checksum.hpp"
#include "base/error.hpp"

namespace persia::checkpoint {

FileEntry measure_file(const std::filesystem::path& path, std::int64_t rows) {
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), "cannot open {} to compute its checksum", path.string());
  FileEntry entry{.name = path.filename().string(), .rows = rows};
  ChecksumStream checksum;
  std::vector<char> block(1 << 20);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::streamsize n = file.gcount();
    checksum.update(std::as_bytes(std::span(block).first(static_cast<std::size_t>(n))));
    entry.bytes += n;
  }
  require(file.eof(), "cannot read {}", path.string());
  entry.checksum = checksum.value();
  return entry;
}

}  // namespace persia::checkpoint
