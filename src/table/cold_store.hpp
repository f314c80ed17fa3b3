// Rows of one owner's table that left memory: on a disk of this machine, with 12 bytes and an index entry
// each left in memory.
//
// Each inner shard gathers records into blocks of its own (cold_shard.hpp); all share one scratch file
// without a name (base/block_file.hpp), where block b of shard s is block b * kInnerShards + s. A block of
// which at most half lives after a read() that took records is emptied: what lives goes on to the outgoing
// block. So every block in use is more than half live, and as the file grows only where none is free, it
// never has more than twice the blocks that the most rows it ever held would fill, apart from the outgoing
// ones. The same calls leave the same file, with any number of threads.
//
// put() and find() for different shards may run at the same time; everything else is one thread's alone.
// After an Error of read() or for_each() the store must not be used any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/block_file.hpp"
#include "base/strong.hpp"
#include "base/thread_team.hpp"
#include "table/cold_layout.hpp"
#include "table/cold_shard.hpp"
#include "table/slab_arena.hpp"

namespace persia::table {

// A record that is there, by what find() said of it, and where it is to be copied.
struct ColdRead {
  std::uint32_t shard;
  std::uint64_t place;
  ColdLocation location;
  std::byte* to;  // (row_bytes)
};

// Whether records that are read stay in the store.
enum class Keep { yes, no };

class ColdStore {
 public:
  // Records of row_bytes start with their id, placed by place_hash(id, salt). Blocks are read by the team,
  // whose threads wait for the disk nearly all the time: several for each core are right. UserError if the
  // folder cannot hold such a file; throws OutOfMemory. Pre: row_bytes >= 8; the team outlives the store.
  ColdStore(const std::filesystem::path& folder, std::int32_t row_bytes, std::uint64_t salt,
            ThreadTeam& team);

  // A copy of `record` (row_bytes). Pre: its id is not in the store. Throws Error if the file cannot be
  // written and OutOfMemory; the store is as it was before then.
  void put(std::uint32_t shard, std::uint64_t place, const std::byte* record) {
    shards_[shard].put(place, record);
  }

  // Where the record is until the next read() with Keep::no.
  [[nodiscard]] std::optional<ColdLocation> find(std::uint32_t shard, FeatureId id,
                                                 std::uint64_t place) const {
    return shards_[shard].find(id, place);
  }

  // Reads each block that is asked for once. With Keep::no the records leave the store; pre: each is named
  // once then. What is emptied is written when everything has been read. Throws Error (the file) and
  // OutOfMemory.
  void read(std::span<const ColdRead> reads, Keep keep);

  // visit(record) for all rows of a shard, block by block. Pre of visit: calls nothing of the store.
  void for_each(std::uint32_t shard, const std::function<void(const std::byte*)>& visit) const;

  [[nodiscard]] std::int64_t rows() const;
  // What the file takes of the disk.
  [[nodiscard]] std::int64_t file_bytes() const;
  // Resident.
  [[nodiscard]] std::int64_t memory_bytes() const;
  // By read().
  [[nodiscard]] std::int64_t blocks_read() const { return blocks_read_; }
  [[nodiscard]] std::int64_t blocks_written() const;
  // Whether the file takes no page cache.
  [[nodiscard]] bool direct() const { return file_.direct(); }

 private:
  struct BlockReads;
  [[nodiscard]] std::vector<BlockReads> by_block(std::span<const ColdRead> reads);
  void share(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) const;
  void fetch(BlockReads& block, Keep keep, std::byte* buffer) const;
  void empty_sparse(std::span<const BlockReads> blocks);

  ColdLayout layout_;
  BlockFile file_;
  SlabArena arena_;  // of the directories
  std::vector<ColdShard> shards_;
  std::vector<BlockBuffer> buffers_;  // one for each thread
  std::vector<ColdRead> sorted_;      // of the read() under way
  std::int64_t blocks_read_ = 0;
  ThreadTeam* team_;
};

}  // namespace persia::table
