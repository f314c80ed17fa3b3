// One owner's part of one embedding table: ids to rows, first values, optimizer. No MPI, no files.
//
// Rows are created by lookup(train) with first values that are a pure function of (seed, table salt, id), and
// never move. A Row handle stays valid for the life of the table. Values are kept in the table's precision
// (stochastic rounding, seeded by (seed, id, update count), for fp16 and bf16), optimizer state in fp32.
// Batched calls: ids of one call are distinct. Not thread safe; the serve loop is the only caller of one
// Table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/schema.hpp"

namespace persia::table {

// Inner shard and slot of a row. absent(): an id that has no row (look-ups for evaluation).
struct Row {
  std::uint32_t shard = 0;
  RowSlot slot{0xFFFFFFFFU};
  [[nodiscard]] bool absent() const { return slot.value() == 0xFFFFFFFFU; }
  bool operator==(const Row&) const = default;
};

// train: absent ids get a row. evaluate: absent ids answer zeros, nothing is created.
enum class Purpose { train, evaluate };

struct TableStatistics {
  std::int64_t rows = 0;
  std::int64_t resident_bytes = 0;  // slabs and index
  std::int64_t unseen = 0;          // evaluate look-ups of absent ids, since the start
};

class Table {
 public:
  virtual ~Table() = default;

  // Shape: ids (n), values (n, dim) row-major fp32, rows (n). Cost: O(n) and one cache miss for index and row
  // each. Throws Error naming table, rows and bytes when memory cannot be had.
  virtual void lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values,
                      std::span<Row> rows) = 0;

  // Applies the optimizer once per row. Shape: rows (n) distinct and present, gradients (n, dim).
  // Post: a row with a non-finite gradient is left as it was and counted.
  virtual void update(std::span<const Row> rows, std::span<const float> gradients) = 0;

  [[nodiscard]] virtual const config::TableSchema& schema() const = 0;
  [[nodiscard]] virtual TableStatistics statistics() const = 0;

  // --- checkpoint: rows in a fixed order (inner shard, slot), as columns of bytes ---
  // Bytes of one row's values as stored (dim * 4 or dim * 2), and of its optimizer state (fp32 values).
  [[nodiscard]] virtual std::int32_t value_bytes() const = 0;
  [[nodiscard]] virtual std::int32_t state_floats() const = 0;
  // Calls `visit` with consecutive blocks of at most `block_rows` rows: ids (n), values (n, value_bytes),
  // state (n, state_floats).
  struct Block {
    std::span<const FeatureId> ids;
    std::span<const std::byte> values;
    std::span<const float> state;
  };
  virtual void for_each_block(std::int64_t block_rows,
                              const std::function<void(const Block&)>& visit) const = 0;
  // Inserts rows exactly as saved. Pre: ids are absent; same value_bytes and state_floats.
  virtual void insert_block(const Block& block) = 0;
};

// `seed` is the run's. Never fails for an empty table.
[[nodiscard]] std::unique_ptr<Table> make_table(const config::TableSchema& schema, std::uint64_t seed);

// Names of the state columns of an optimizer ("accumulator"; "m", "v", "count"), for the checkpoint's
// attributes.
[[nodiscard]] std::vector<std::string> state_names(const config::Optimizer& optimizer);

}  // namespace persia::table
