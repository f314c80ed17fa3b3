// A scratch file without a name: blocks of one size, written and read by number, gone with the process
// however it ends.
//
// The file takes no page cache where the file system allows that (O_DIRECT), so what is kept in it costs no
// memory but the buffers. It has holes where no block was written. Reads and writes of different blocks may
// run at the same time; those of one block are the caller's to order. Nothing is synced: the file is not
// meant to outlive its process. Callers: table (rows that left memory).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>

namespace persia {

// What block sizes are multiples of and buffers start at, enough for every disk's O_DIRECT.
inline constexpr std::size_t kBlockAlignment = 4096;

// Owner of zeroed memory for a block.
class BlockBuffer {
 public:
  explicit BlockBuffer(std::size_t bytes);
  // (bytes), starting at a multiple of kBlockAlignment.
  [[nodiscard]] std::byte* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{kBlockAlignment}); }
  };
  std::unique_ptr<std::byte, Free> data_;
};

class BlockFile {
 public:
  // UserError with the system's reason if no such file can be made in the folder. Pre: block_bytes is a
  // multiple of kBlockAlignment.
  BlockFile(const std::filesystem::path& folder, std::size_t block_bytes);
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;
  BlockFile(BlockFile&&) = delete;
  BlockFile& operator=(BlockFile&&) = delete;

  [[nodiscard]] std::size_t block_bytes() const { return block_bytes_; }
  // Whether reads and writes pass the page cache by.
  [[nodiscard]] bool direct() const { return direct_; }

  // `data`: (block_bytes), aligned as a BlockBuffer. Error naming the folder and the system's reason; what
  // the block holds after a write that failed is unknown.
  void write(std::int64_t block, const std::byte* data);
  // Pre: the block was written.
  void read(std::int64_t block, std::byte* data) const;

 private:
  std::filesystem::path folder_;
  std::size_t block_bytes_;
  int descriptor_;
  bool direct_;
};

}  // namespace persia
