// ShardedTable::update and its stages.
#include <algorithm>
#include <array>
#include <bit>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/learning_rate.hpp"
#include "table/prefetch.hpp"
#include "table/sharded_table.hpp"

namespace persia::table {

namespace {

// How many blocks after its rows were requested a block is changed.
constexpr std::size_t kChangeAfter = 4;

}  // namespace

struct ShardedTable::UpdateBlock {
  std::array<std::byte*, kBlockRows> rows;
  std::int32_t num_rows = 0;
};

void ShardedTable::update(std::span<const Row> rows, std::span<const float> gradients, Step step) {
  expects(gradients.size() == rows.size() * static_cast<std::size_t>(layout_.dim),
          "gradients (n, dim) fit the rows");
  arguments_.learning_rate = static_cast<float>(config::rate_at(schema_.table.optimizer, step));
  constexpr std::size_t block = kBlockRows;
  const std::size_t num_blocks = (rows.size() + block - 1) / block;
  std::array<UpdateBlock, kChangeAfter + 1> ring;
  for (std::size_t b = 0; b < num_blocks + kChangeAfter; ++b) {
    if (b < num_blocks)
      request(ring[b % ring.size()], rows.subspan(b * block, std::min(block, rows.size() - b * block)));
    if (b < kChangeAfter) continue;
    const UpdateBlock& older = ring[(b - kChangeAfter) % ring.size()];
    const float* const own =
        gradients.data() + (b - kChangeAfter) * block * static_cast<std::size_t>(layout_.dim);
    std::uint32_t skipped =
        kernels_.update({&layout_, &arguments_, rounding_key_, older.rows.data(), own, older.num_rows});
    for (; skipped != 0; skipped &= skipped - 1) {
      const std::byte* const row = older.rows[static_cast<std::size_t>(std::countr_zero(skipped))];
      if (row != lost_row()) note_non_finite(InnerShard::id_of(row));
    }
  }
}

void ShardedTable::request(UpdateBlock& block, std::span<const Row> rows) {
  block.num_rows = static_cast<std::int32_t>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].absent()) {
      block.rows[i] = lost_row();
      continue;
    }
    expects(rows[i].shard < kInnerShards && rows[i].slot.value() < shards_[rows[i].shard].slots(),
            "a row that a lookup of this table gave");
    block.rows[i] = shards_[rows[i].shard].row(rows[i].slot);
    prefetch_lines(block.rows[i], layout_.row_bytes);
  }
}

void ShardedTable::note_non_finite(FeatureId id) {
  ++non_finite_;
  if (first_non_finite_) return;
  first_non_finite_ = id;
  log::warn(
      "table '{}': the gradient of id {} is not finite; the row is left as it was. Later ones are only "
      "counted.",
      schema_.name, id.value());
}

}  // namespace persia::table
