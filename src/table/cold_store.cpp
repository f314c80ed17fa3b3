#include "table/cold_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <tuple>

#include "table/place.hpp"

namespace persia::table {

namespace {

// For each thread: blocks that for_each() has read while it visits their records.
constexpr std::size_t kBlocksAhead = 4;

}  // namespace

// What is asked for of one block.
struct ColdStore::BlockReads {
  std::uint32_t shard;
  std::uint32_t block;
  std::span<const ColdRead> reads;
  std::vector<std::byte> live;  // (n, row_bytes): all that is left, if the block is to be emptied
};

ColdStore::ColdStore(const std::filesystem::path& folder, std::int32_t row_bytes, std::uint64_t salt,
                     ThreadTeam& team)
    : layout_(make_cold_layout(row_bytes)),
      file_(folder, layout_.block_bytes),
      arena_(kColdEntryBytes),
      team_(&team) {
  shards_.reserve(kInnerShards);
  for (std::uint32_t s = 0; s < kInnerShards; ++s) shards_.emplace_back(file_, arena_, layout_, salt, s);
  for (std::int32_t k = 0; k < team.size(); ++k) buffers_.emplace_back(layout_.block_bytes);
}

// Records that leave are dead before blocks are read, so that what a block to be emptied has left is what
// lives.
void ColdStore::read(std::span<const ColdRead> reads, Keep keep) {
  if (keep == Keep::no)
    for (const ColdRead& read : reads) shards_[read.shard].forget(read.place, read.location);
  std::vector<BlockReads> blocks = by_block(reads);
  share(blocks.size(),
        [&](std::size_t i, std::size_t thread) { fetch(blocks[i], keep, buffers_[thread].data()); });
  for (const BlockReads& block : blocks)
    if (!shards_[block.shard].in_memory(block.block)) ++blocks_read_;
  if (keep == Keep::no) empty_sparse(blocks);
}

std::vector<ColdStore::BlockReads> ColdStore::by_block(std::span<const ColdRead> reads) {
  sorted_.assign(reads.begin(), reads.end());
  std::ranges::sort(sorted_, {}, [](const ColdRead& read) { return std::tuple(read.shard, read.location); });
  std::vector<BlockReads> blocks;
  for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
    const std::uint32_t shard = sorted_[begin].shard;
    const std::uint32_t block = layout_.block_of(sorted_[begin].location);
    while (end < sorted_.size() && sorted_[end].shard == shard &&
           layout_.block_of(sorted_[end].location) == block)
      ++end;
    blocks.push_back({shard, block, std::span(sorted_).subspan(begin, end - begin), {}});
  }
  return blocks;
}

// work(i, thread) for i = 0 .. count - 1, each by whichever thread comes first.
void ColdStore::share(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) const {
  if (count <= 1) {
    if (count == 1) work(0, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  team_->run([&](std::int32_t thread) {
    for (std::size_t i = next++; i < count; i = next++) work(i, static_cast<std::size_t>(thread));
  });
}

void ColdStore::fetch(BlockReads& block, Keep keep, std::byte* buffer) const {
  const ColdShard& shard = shards_[block.shard];
  const std::byte* const contents = shard.contents(block.block, buffer);
  for (const ColdRead& read : block.reads)
    std::memcpy(read.to, contents + layout_.offset_of(read.location), layout_.row_bytes);
  if (keep == Keep::yes || !shard.sparse(block.block)) return;
  shard.for_each_live(block.block, contents, [&](const std::byte* record) {
    block.live.insert(block.live.end(), record, record + layout_.row_bytes);
  });
}

// All are free before the first record moves on, so that the file grows only where no block is free.
void ColdStore::empty_sparse(std::span<const BlockReads> blocks) {
  for (const BlockReads& block : blocks)
    if (shards_[block.shard].sparse(block.block)) shards_[block.shard].free(block.block);
  for (const BlockReads& block : blocks)
    for (std::size_t at = 0; at < block.live.size(); at += layout_.row_bytes)
      shards_[block.shard].restore(block.live.data() + at);
}

void ColdStore::for_each(std::uint32_t shard, const std::function<void(const std::byte*)>& visit) const {
  const ColdShard& from = shards_[shard];
  const std::vector<std::uint32_t> blocks = from.live_blocks();
  const std::size_t num_ahead = std::min(blocks.size(), kBlocksAhead * buffers_.size());
  std::vector<BlockBuffer> buffers;
  for (std::size_t i = 0; i < num_ahead; ++i) buffers.emplace_back(layout_.block_bytes);
  std::vector<const std::byte*> contents(num_ahead);
  for (std::size_t begin = 0; begin < blocks.size(); begin += num_ahead) {
    const std::size_t count = std::min(num_ahead, blocks.size() - begin);
    share(count, [&](std::size_t i, std::size_t) {
      contents[i] = from.contents(blocks[begin + i], buffers[i].data());
    });
    for (std::size_t i = 0; i < count; ++i) from.for_each_live(blocks[begin + i], contents[i], visit);
  }
}

std::int64_t ColdStore::rows() const {
  std::int64_t sum = 0;
  for (const ColdShard& shard : shards_) sum += shard.rows();
  return sum;
}

std::int64_t ColdStore::file_bytes() const {
  std::int64_t blocks = 0;
  for (const ColdShard& shard : shards_) blocks += shard.file_blocks();
  return blocks * static_cast<std::int64_t>(layout_.block_bytes);
}

std::int64_t ColdStore::memory_bytes() const {
  std::int64_t directories = 0;
  auto sum = static_cast<std::int64_t>(buffers_.size() * layout_.block_bytes);
  for (const ColdShard& shard : shards_) {
    directories += shard.directory_bytes();
    sum += shard.memory_bytes();
  }
  return sum + (arena_.small() ? directories : arena_.resident_bytes());
}

std::int64_t ColdStore::blocks_written() const {
  std::int64_t sum = 0;
  for (const ColdShard& shard : shards_) sum += shard.blocks_written();
  return sum;
}

}  // namespace persia::table
