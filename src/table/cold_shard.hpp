// The rows of one inner shard that left memory: where each of them is, and the blocks they are in.
//
// Records are gathered in an outgoing block, which goes to the file as a whole when the next record has no
// room in it; the next one takes the number of a free block, or one more. The directory is an InnerShard
// whose records are {id 8 bytes, location 4}. A record lives where the directory says; all others in a block
// are dead. live_ counts, so that a block is free, or worth emptying, without being read.
//
// Not thread safe by itself; different shards share the file and the arena, which are. Caller: ColdStore,
// whose read() is the order of the calls below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/block_file.hpp"
#include "table/cold_layout.hpp"
#include "table/inner_shard.hpp"

namespace persia::table {

// Of the directory.
inline constexpr std::int32_t kColdEntryBytes = sizeof(std::uint64_t) + sizeof(ColdLocation);

class ColdShard {
 public:
  // `number`: among the table's inner shards. The arena is one for kColdEntryBytes. Throws OutOfMemory.
  ColdShard(BlockFile& file, SlabArena& arena, const ColdLayout& layout, std::uint64_t salt,
            std::uint32_t number);

  [[nodiscard]] std::int64_t rows() const { return directory_.rows(); }
  [[nodiscard]] std::int64_t blocks_written() const { return blocks_written_; }
  // That the file has room for: in use or free.
  [[nodiscard]] std::int64_t file_blocks() const { return num_file_blocks_; }
  [[nodiscard]] std::int64_t directory_bytes() const { return directory_.touched_bytes(); }
  // Beside the directory.
  [[nodiscard]] std::int64_t memory_bytes() const;

  [[nodiscard]] std::optional<ColdLocation> find(FeatureId id, std::uint64_t place) const;

  // `record` (row_bytes) starts with its id. Pre: the id is absent. Throws Error (the file) or OutOfMemory,
  // changing nothing.
  void put(std::uint64_t place, const std::byte* record);

  // Blocks with live records, in order; the outgoing one may be among them.
  [[nodiscard]] std::vector<std::uint32_t> live_blocks() const;
  [[nodiscard]] bool in_memory(std::uint32_t block) const { return block == outgoing_; }
  // (block_bytes): the outgoing block where it is, another one read into `buffer`.
  [[nodiscard]] const std::byte* contents(std::uint32_t block, std::byte* buffer) const;
  // visit(record) for the live records of a block, in order.
  template <class Visit>
  void for_each_live(std::uint32_t block, const std::byte* contents, const Visit& visit) const {
    for (std::uint32_t i = 0; i < size_of(block); ++i) {
      const std::byte* const record = contents + i * layout_.row_bytes;
      if (lives(record, layout_.location(block, i))) visit(record);
    }
  }

  // The record that is there lives no more. Pre: it did.
  void forget(std::uint64_t place, ColdLocation location);
  // At most half of what was put into the block lives.
  [[nodiscard]] bool sparse(std::uint32_t block) const { return 2U * live_[block] <= size_of(block); }
  // Whatever is in the block may be overwritten. Pre: who calls has its live records, and restores them.
  void free(std::uint32_t block);
  // Puts a live record of a block that was freed. Throws as put(); the record is lost then.
  void restore(const std::byte* record);

 private:
  [[nodiscard]] std::uint32_t size_of(std::uint32_t block) const {
    return block == outgoing_ ? used_ : layout_.block_rows;
  }
  [[nodiscard]] bool lives(const std::byte* record, ColdLocation location) const;
  [[nodiscard]] ColdLocation location_of(RowSlot slot) const;
  [[nodiscard]] std::int64_t in_file(std::uint32_t block) const;
  void make_room();
  void append(const std::byte* record, RowSlot slot);

  BlockFile* file_;
  ColdLayout layout_;
  std::uint64_t salt_;
  std::uint32_t number_;
  InnerShard directory_;
  BlockBuffer outgoing_data_;
  std::uint32_t outgoing_ = 0;         // its block number
  std::uint32_t used_ = 0;             // records put into it
  std::vector<std::uint16_t> live_;    // by block
  std::vector<std::uint32_t> free_;    // blocks; the last one is used first
  std::uint32_t num_file_blocks_ = 0;  // one more than the last that was written
  std::int64_t blocks_written_ = 0;
};

}  // namespace persia::table
