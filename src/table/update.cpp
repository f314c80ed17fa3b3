// ShardWorker::update and its stages.
#include <array>
#include <bit>

#include "base/error.hpp"
#include "table/prefetch.hpp"
#include "table/shard_worker.hpp"

namespace persia::table {

namespace {

// How many blocks after its rows were requested a block is changed.
constexpr std::size_t kChangeAfter = 4;

}  // namespace

struct ShardWorker::UpdateBlock {
  std::size_t size = 0;
  std::array<std::uint32_t, kBlockRows> positions;  // in the part
  std::array<std::byte*, kBlockRows> rows;
};

void ShardWorker::update(const UpdateBatch& part) {
  std::array<UpdateBlock, kChangeAfter + 1> ring;
  std::size_t at = 0;
  for (std::size_t b = 0;; ++b) {
    at = request(ring[b % ring.size()], part.rows, at);
    if (b < kChangeAfter) continue;
    const UpdateBlock& oldest = ring[(b - kChangeAfter) % ring.size()];
    if (oldest.size == 0) break;
    change(oldest, part.gradients);
  }
}

// Fills the block from rows[at] on. Returns where the next one begins.
std::size_t ShardWorker::request(UpdateBlock& block, std::span<const Row> rows, std::size_t at) const {
  // Locals, which nothing that is stored here can change.
  const InnerShard* const shards = parts_.shards.data();
  const std::int32_t row_bytes = parts_.layout.row_bytes;
  std::size_t size = 0;
  for (; at < rows.size() && size < kBlockRows; ++at) {
    const Row row = rows[at];
    if (row.absent()) continue;
    expects(row.shard < kInnerShards && row.slot.value() < shards[row.shard].slots(),
            "a row that a lookup of this table gave");
    std::byte* const record = shards[row.shard].row(row.slot);
    prefetch_record(record, row_bytes);
    block.positions[size] = static_cast<std::uint32_t>(at);
    block.rows[size] = record;
    ++size;
  }
  block.size = size;
  return at;
}

void ShardWorker::change(const UpdateBlock& block, std::span<const float> gradients) {
  std::uint32_t skipped = parts_.kernels.update({&parts_.layout, &parts_.arguments, parts_.rounding_key,
                                                 block.rows.data(), block.positions.data(), gradients.data(),
                                                 static_cast<std::int32_t>(block.size)});
  for (; skipped != 0; skipped &= skipped - 1) {
    const auto r = static_cast<std::size_t>(std::countr_zero(skipped));
    ++counts_.non_finite;
    if (!first_non_finite_) first_non_finite_ = InnerShard::id_of(block.rows[r]);
  }
}

}  // namespace persia::table
