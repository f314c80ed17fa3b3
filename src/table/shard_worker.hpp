// One thread's work on a batch. Where rows are added or go it is that of its inner shards, which are every
// n-th one; where rows are only read or changed it is a part of the batch, so that hardly any line of its
// rows and values is written by two threads.
//
// A lookup runs as a pipeline over blocks of kBlockRows ids. While the rows of one block are copied, those of
// later ones are on their way from memory:
//   request      hash, prefetch the index line                (a kernel)
//   guess        compare control bytes, prefetch the row      (a kernel)
//   guess again  where that is another id's row
//   answer       confirm by the id in the row; add or look on where that fails; copy values out
// An update requests the rows of later blocks while it changes those of one.
// The order of the ids within a shard is that of the batch, so the number of threads changes no result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "table/table_parts.hpp"

namespace persia::table {

struct LookupBatch {
  std::span<const FeatureId> ids;
  Purpose purpose;
  std::span<float> values;
  std::span<Row> rows;
  Moment when;
};

struct UpdateBatch {
  std::span<const Row> rows;
  std::span<const float> gradients;
};

class ShardWorker {
 public:
  // Counted since the start.
  struct Counts {
    std::int64_t unseen = 0;
    std::int64_t not_admitted = 0;
    std::int64_t evicted = 0;  // from memory
    std::int64_t non_finite = 0;
    std::int64_t added = 0;          // rows, to memory
    std::int64_t found_on_disk = 0;  // in training

    Counts& operator+=(const Counts& more) {
      unseen += more.unseen;
      not_admitted += more.not_admitted;
      evicted += more.evicted;
      non_finite += more.non_finite;
      added += more.added;
      found_on_disk += more.found_on_disk;
      return *this;
    }
  };

  // Shards index, index + count, ...
  ShardWorker(TableParts& parts, std::uint32_t index, std::uint32_t count);

  // Of the ids of its shards. Shapes as in Table. Throws OutOfMemory.
  void lookup(const LookupBatch& batch);

  // An id that a worker did not find.
  struct Missing {
    std::uint32_t position;  // in the whole batch
    std::uint64_t place;
  };
  // In two steps, where no row goes: all ids of a part, which begins at `first`, that have rows; then, when
  // all parts are done, those of its shards among the ids that were missing.
  void find(const LookupBatch& part, std::size_t first);
  [[nodiscard]] std::span<const Missing> missing() const { return missing_; }
  void look_further(const LookupBatch& batch, std::span<const Missing> missing);

  // What the lookup found on disk, in the order of the batch; finish_cold() when it has been read.
  [[nodiscard]] std::span<const ColdRead> cold_reads();
  void finish_cold(const LookupBatch& batch);
  // All rows of a part of a batch.
  void update(const UpdateBatch& part);

  [[nodiscard]] const Counts& counts() const { return counts_; }
  // Of the first row left out for its gradient.
  [[nodiscard]] std::optional<FeatureId> first_non_finite() const { return first_non_finite_; }

 private:
  [[nodiscard]] bool mine(std::uint32_t shard) const { return (shards_ >> shard & 1U) != 0; }

  // lookup.cpp
  template <class Answer>
  void run_stages(const LookupBatch& batch, std::uint32_t wanted_shards, const Answer& answer_missing);
  void guess(LookupBlock& block) const;
  void guess_again(LookupBlock& block) const;
  template <class Answer>
  void answer(LookupBlock& block, const LookupBatch& batch, const Answer& answer_missing);
  [[nodiscard]] static bool is_right(const LookupBlock& block, std::size_t i);
  [[nodiscard]] std::byte* resolve(std::uint32_t position, std::uint64_t place, const LookupBatch& batch,
                                   Row& row);
  [[nodiscard]] std::byte* create(FeatureId id, std::uint64_t place, Moment when, Row& row);
  [[nodiscard]] std::byte* add(FeatureId id, std::uint64_t place, Moment when, Row& row);
  void give_first_values(std::byte* record, Step now);
  [[nodiscard]] std::byte* zeros() { return reinterpret_cast<std::byte*>(parts_.zero_row.data()); }

  // cold_rows.cpp: of tables that keep rows on disk
  [[nodiscard]] std::byte* resolve_cold(std::uint32_t position, std::uint64_t place, ColdLocation from,
                                        const LookupBatch& batch, Row& row);

  // make_room.cpp: of tables that evict
  [[nodiscard]] std::byte* use(LookupBlock& block, std::size_t i, const LookupBatch& batch, Row& row);
  void make_room(std::uint64_t place, Moment when, InnerShard& shard);
  void sweep(std::size_t num_ids, Moment when);
  void sweep_expired(std::uint32_t s, std::size_t num_slots, Moment when);
  void shrink(std::uint32_t s, std::size_t max_rows, Moment when);
  void evict(InnerShard& shard, RowSlot slot, Step now);
  void tell_evicted(std::byte* record, Step now) const;

  // update.cpp
  struct UpdateBlock;
  [[nodiscard]] std::size_t request(UpdateBlock& block, std::span<const Row> rows, std::size_t at) const;
  void change(const UpdateBlock& block, std::span<const float> gradients);

  TableParts& parts_;
  std::uint32_t shards_ = 0;      // a bit for each that is its own
  std::vector<float> first_row_;  // (dim), of the row being added
  Counts counts_;
  std::vector<Missing> missing_;  // of the last find()
  std::vector<ColdRead> cold_reads_;
  std::vector<std::uint32_t> cold_positions_;  // in the batch, of each of them
  std::vector<std::uint64_t> cold_records_;    // of evaluate look-ups
  std::optional<FeatureId> first_non_finite_;
};

}  // namespace persia::table
