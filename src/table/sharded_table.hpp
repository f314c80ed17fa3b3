// The table of one owner: sixteen inner shards behind the batched interface.
//
// A lookup runs as a pipeline over blocks of kBlockRows ids. While one block's rows are copied, the next
// one's index lines are compared and its rows requested, and the one after that has its index lines
// requested:
//   request  hash, prefetch the index line
//   guess    compare control bytes, prefetch the row
//   answer   confirm by the id in the row; add or look on where that fails; copy values out
// An update requests the rows of one block while it changes those of the block before.
#pragma once

#include <array>
#include <vector>

#include "table/first_values.hpp"
#include "table/inner_shard.hpp"
#include "table/kernels.hpp"
#include "table/row_layout.hpp"
#include "table/table.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

class ShardedTable final : public Table {
 public:
  ShardedTable(const config::TableSchema& schema, std::uint64_t seed);

  void lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values,
              std::span<Row> rows) override;
  void update(std::span<const Row> rows, std::span<const float> gradients) override;

  [[nodiscard]] const config::TableSchema& schema() const override { return schema_; }
  [[nodiscard]] TableStatistics statistics() const override;

  [[nodiscard]] std::int32_t value_bytes() const override { return layout_.value_bytes; }
  [[nodiscard]] std::int32_t state_floats() const override { return layout_.state_floats; }
  void for_each_block(std::int64_t block_rows, const std::function<void(const Block&)>& visit) const override;
  void insert_block(const Block& block) override;

 private:
  struct LookupBlock;
  void request(LookupBlock& block, std::span<const FeatureId> ids) const;
  void guess(LookupBlock& block) const;
  void answer(LookupBlock& block, Purpose purpose, std::span<Row> rows, float* values);
  [[nodiscard]] std::byte* resolve(FeatureId id, std::uint64_t place, Purpose purpose, Row& row);
  [[nodiscard]] std::byte* add(FeatureId id, std::uint64_t place, Row& row);

  struct UpdateBlock;
  void request(UpdateBlock& block, std::span<const Row> rows) const;
  void note_non_finite(FeatureId id);
  [[noreturn]] void fail_out_of_memory(std::size_t bytes) const;

  config::TableSchema schema_;
  RowLayout layout_;
  UpdateArguments arguments_;
  Kernels kernels_;
  FirstValues first_values_;
  std::uint64_t rounding_key_;
  std::vector<float> first_state_;       // (state_floats)
  std::vector<float> first_row_;         // (dim), of the row being added
  std::vector<std::uint64_t> zero_row_;  // a record of zeros, answered for absent ids
  SlabArena arena_;
  std::vector<InnerShard> shards_;  // (kInnerShards), in the arena
  std::int64_t unseen_ = 0;
  std::int64_t non_finite_ = 0;
  std::optional<FeatureId> first_non_finite_;
};

}  // namespace persia::table
