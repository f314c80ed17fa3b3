// Which row of an inner shard goes when a new one comes and the shard has its share of rows; which rows are
// too old.
//
// A row remembers the step of its last use and, with lfu, its uses, where a use of h half lives ago counts
// 2^-h. The one that goes is the worst of sixteen that are spread over the shard from a place that step and
// id decide (sampled eviction, as in Psounis, Prabhakar, "A randomized web-cache replacement scheme", INFOCOM
// 2001): no lists to keep, nothing to save beside the rows, the same choice after a restart. Rows in use at
// Moment::oldest_open or later stay, so a shard may outgrow its share for as long as their tokens are open.
//
//   lru           the longest unused
//   lfu           the fewest uses
//   lowest_norm   the smallest sum of squared values
//   ttl_steps     a row that was not used for more steps counts as absent, whatever the policy
//   ttl_seconds   the same with the time of training in this process: a restart begins it anew
//
// Not thread safe; different shards may be asked at the same time.
#pragma once

#include <cstdint>
#include <optional>

#include "base/strong.hpp"
#include "table/inner_shard.hpp"
#include "table/kernels.hpp"
#include "table/row_layout.hpp"
#include "table/step_clock.hpp"
#include "table/table.hpp"

namespace persia::table {

// The rows that one inner shard of one of `num_owners` owners may hold; 0 = any number.
[[nodiscard]] std::int64_t rows_per_shard(const config::Table& table, std::int32_t num_owners);

class Eviction {
 public:
  Eviction(const config::Table& table, const RowLayout& layout, const Kernels& kernels,
           std::int32_t num_owners);

  // Whether rows remember their use; the others below are for such tables only.
  [[nodiscard]] bool on() const { return layout_.usage_floats > 0; }

  // Whether rows can be too old.
  [[nodiscard]] bool has_ttl() const { return rules_.ttl_steps > 0 || clock_; }
  // Before a look-up in training; the time since the last one was a pause if tables did something else. Not
  // while others are asked.
  void pass(Moment when, double now_seconds, bool paused) {
    if (!clock_) return;
    if (paused) clock_->pause(now_seconds);
    clock_->note(when.oldest_open, now_seconds);
  }

  // Of a record that holds no usage yet; then use() it.
  void start(std::byte* row, Step now) const;
  void use(std::byte* row, Step now) const;
  // Of a record whose row is gone: no sample picks it.
  void end(std::byte* row) const;
  // Pre of `now`: Moment::oldest_open, so that what is in use never is.
  [[nodiscard]] bool expired(const std::byte* row, Step now) const;

  // The shard has more rows than its share.
  [[nodiscard]] bool above_limit(const InnerShard& shard) const {
    return rows_per_shard_ > 0 && shard.rows() > rows_per_shard_;
  }
  [[nodiscard]] bool full(const InnerShard& shard) const {
    return rows_per_shard_ > 0 && shard.rows() >= rows_per_shard_;
  }
  // The row to erase before one for `place` is added; kNoSlot: none must, or none may.
  [[nodiscard]] RowSlot victim(const InnerShard& shard, std::uint64_t place, Moment when) const;

 private:
  // Usage floats of a record.
  [[nodiscard]] float load(const std::byte* row, std::int32_t which) const;
  void store(std::byte* row, std::int32_t which, float value) const;
  [[nodiscard]] float uses_at(const std::byte* row, Step now) const;
  [[nodiscard]] float score(std::byte* row, Step now) const;

  config::Eviction rules_;
  RowLayout layout_;
  Kernels kernels_;
  std::int64_t rows_per_shard_;
  std::optional<StepClock> clock_;  // of tables with ttl_seconds
};

}  // namespace persia::table
