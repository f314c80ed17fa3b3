// The table of one owner: sixteen inner shards behind the batched interface.
//
// A lookup runs as a pipeline over blocks of kBlockRows ids, its stages some blocks apart (lookup.cpp), so
// that what one stage asks the memory for is there when the next one reads it:
//   request      hash, prefetch the index line
//   guess        compare control bytes, prefetch the row
//   guess again  where the row has another id, compare on and prefetch the next one
//   answer       confirm by the id in the row; add or look on where that fails; copy values out
// An update requests the rows of a block some blocks before it changes them.
#pragma once

#include <array>
#include <vector>

#include "table/admission.hpp"
#include "table/eviction.hpp"
#include "table/first_values.hpp"
#include "table/inner_shard.hpp"
#include "table/kernels.hpp"
#include "table/row_layout.hpp"
#include "table/table.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

class ShardedTable final : public Table {
 public:
  ShardedTable(const config::TableSchema& schema, const TableOptions& options);

  void lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values, std::span<Row> rows,
              Moment when) override;
  void update(std::span<const Row> rows, std::span<const float> gradients, Step step) override;

  [[nodiscard]] const config::TableSchema& schema() const override { return schema_; }
  [[nodiscard]] TableStatistics statistics() const override;

  [[nodiscard]] std::int32_t value_bytes() const override { return layout_.value_bytes; }
  [[nodiscard]] std::int32_t state_floats() const override {
    return layout_.state_floats + layout_.usage_floats;
  }
  void for_each_block(std::int64_t block_rows, const std::function<void(const Block&)>& visit) const override;
  void insert_block(const Block& block) override;
  [[nodiscard]] std::vector<std::uint64_t> sightings() const override;
  void insert_sightings(std::span<const std::uint64_t> words) override;

 private:
  struct LookupBlock;
  void request(LookupBlock& block, std::span<const FeatureId> ids) const;
  void guess(LookupBlock& block) const;
  void guess_again(LookupBlock& block) const;
  void propose(LookupBlock& block, std::size_t i, RowSlot slot) const;
  void answer(LookupBlock& block, Purpose purpose, Moment when, std::span<Row> rows, float* values);
  [[nodiscard]] std::byte* resolve(FeatureId id, std::uint64_t place, Purpose purpose, Moment when, Row& row);
  [[nodiscard]] std::byte* create(FeatureId id, std::uint64_t place, Moment when, Row& row);
  [[nodiscard]] std::byte* add(FeatureId id, std::uint64_t place, Row& row);
  [[nodiscard]] std::byte* zeros() { return reinterpret_cast<std::byte*>(zero_row_.data()); }
  [[nodiscard]] std::byte* lost_row() { return reinterpret_cast<std::byte*>(lost_row_.data()); }

  void give_first_values(std::byte* record, Step now);

  // make_room.cpp: of tables that evict.
  [[nodiscard]] std::byte* use(std::byte* record, Purpose purpose, Moment when, Row& row);
  void make_room(std::uint64_t place, Moment when, InnerShard& shard);
  void sweep(std::size_t num_ids, Moment when);
  void evict(InnerShard& shard, RowSlot slot, Step now);
  void note_evicted(std::byte* record, Step now);

  struct UpdateBlock;
  void request(UpdateBlock& block, std::span<const Row> rows);
  void note_non_finite(FeatureId id);
  [[noreturn]] void fail_out_of_memory(std::size_t bytes) const;

  config::TableSchema schema_;
  RowLayout layout_;
  UpdateArguments arguments_;
  Kernels kernels_;
  FirstValues first_values_;
  Admission admission_;
  Eviction eviction_;
  std::function<void(const EvictedRow&)> on_evicted_;
  std::uint64_t rounding_key_;
  std::vector<float> first_state_;       // (state_floats)
  std::vector<float> first_row_;         // (dim), of the row being added
  std::vector<std::uint64_t> zero_row_;  // a record of zeros, answered for absent ids
  std::vector<std::uint64_t> lost_row_;  // a record for the gradients of absent ids
  SlabArena arena_;
  std::vector<InnerShard> shards_;                   // (kInnerShards), in the arena
  std::array<std::uint32_t, kInnerShards> sweep_{};  // by shard, the next slot to look at
  std::int64_t unseen_ = 0;
  std::int64_t not_admitted_ = 0;
  std::int64_t evicted_ = 0;
  std::int64_t non_finite_ = 0;
  std::optional<FeatureId> first_non_finite_;
};

}  // namespace persia::table
