// The table of one owner: sixteen inner shards behind the batched interface, and who works on them.
//
// Small batches are done by the caller; large ones by all threads of the team, each with its own shards
// (shard_worker.hpp).
#pragma once

#include <optional>
#include <vector>

#include "table/shard_worker.hpp"
#include "table/table_parts.hpp"

namespace persia::table {

class ShardedTable final : public Table {
 public:
  ShardedTable(const config::TableSchema& schema, const TableOptions& options);

  void lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values, std::span<Row> rows,
              Moment when) override;
  void update(std::span<const Row> rows, std::span<const float> gradients, Step step) override;

  [[nodiscard]] const config::TableSchema& schema() const override { return parts_.schema; }
  [[nodiscard]] TableStatistics statistics() const override;

  // blocks.cpp
  [[nodiscard]] std::int32_t value_bytes() const override { return parts_.layout.value_bytes; }
  [[nodiscard]] std::int32_t state_floats() const override { return parts_.layout.state_floats(); }
  void for_each_block(std::int64_t block_rows, const std::function<void(const Block&)>& visit) const override;
  void insert_block(const Block& block) override;
  [[nodiscard]] std::vector<std::uint64_t> sightings() const override;
  void insert_sightings(std::span<const std::uint64_t> words) override;

 private:
  // Turns OutOfMemory into the message that names this table.
  template <class Work>
  void guard_memory(const Work& work) const {
    try {
      work();
    } catch (const OutOfMemory& error) {
      fail_out_of_memory(error.bytes());
    }
  }
  // work(worker, k) for workers that have all shards between them, each on its thread.
  template <class Work>
  void share(std::size_t num_rows, const Work& work);
  // work(worker, part) for parts of so many rows.
  template <class Work>
  void share_parts(std::size_t num_rows, const Work& work);
  [[nodiscard]] bool shares(std::size_t num_rows) const;
  void lookup_in_parts(const LookupBatch& batch);
  void insert(const Block& block);
  [[nodiscard]] bool has(FeatureId id, std::uint64_t place) const;
  template <class Fill>
  void put_cold(FeatureId id, std::uint64_t place, const Fill& fill);
  void fetch_cold(const LookupBatch& batch);
  void add_cold(const ShardWorker::Counts& counted, TableStatistics& result) const;
  [[nodiscard]] ShardWorker::Counts counts() const;
  void note_non_finite();
  [[noreturn]] void fail_out_of_memory(std::size_t bytes) const;

  TableParts parts_;
  ThreadTeam* team_;
  ShardWorker alone_;
  std::vector<ShardWorker> sharers_;  // empty without a team
  std::optional<FeatureId> first_non_finite_;
  std::int64_t looked_up_ = 0;   // ids, in training
  mutable bool paused_ = false;  // evaluated or saved since the last of them
};

}  // namespace persia::table
