// One owner's part of one embedding table: ids to rows, first values, optimizer. No MPI; files only as a
// place for rows that do not fit into memory.
//
// Rows are created by lookup(train) with first values that are a pure function of (seed, table salt, id), and
// never move. A Row handle stays valid for the life of the table. Values are kept in the table's precision,
// optimizer state in fp32 or bf16. What is not fp32 is rounded stochastically with numbers that are a pure
// function of (seed, salt, id, how many updates the row has had), so results do not depend on batches, ranks
// or on a save in between; the count is a state column of such tables, and the scale of int8 rows another.
// Batched calls: ids of one call are distinct. Not thread safe: the serve loop is the only
// caller of one Table, whose own threads (TableOptions::team) change no result. README.md of this room draws
// the memory layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/strong.hpp"
#include "config/schema.hpp"

namespace persia {
class ThreadTeam;
}

namespace persia::table {

// Inner shard and slot of a row. absent(): an id that has no row and answered zeros.
struct Row {
  std::uint32_t shard = 0;
  RowSlot slot{0xFFFFFFFFU};
  [[nodiscard]] bool absent() const { return slot.value() == 0xFFFFFFFFU; }
  bool operator==(const Row&) const = default;
};

// train: absent ids get a row, if the table admits them. evaluate: absent ids answer zeros, nothing changes.
enum class Purpose { train, evaluate };

// When a lookup happens, in training steps: that of its batch, and the lowest of the batches whose tokens are
// still open at this owner, its own included. A row that was used at oldest_open or later is not evicted: its
// gradient may still come.
struct Moment {
  Step step;
  Step oldest_open;
};

struct TableStatistics {
  std::int64_t rows = 0;
  std::int64_t index_bytes = 0;      // resident, of the index
  std::int64_t resident_bytes = 0;   // slabs and index
  std::int64_t unseen = 0;           // evaluate look-ups of absent ids, since the start
  std::int64_t not_admitted = 0;     // train look-ups of ids that admission kept out
  std::int64_t evicted = 0;          // rows that were forgotten
  std::int64_t disk_rows = 0;        // of rows, those that are on disk
  std::int64_t disk_bytes = 0;       // of their file
  std::int64_t found_in_memory = 0;  // rows that train look-ups found, of tables that keep some on disk
  std::int64_t found_on_disk = 0;
  std::int64_t non_finite = 0;                // row gradients left out because a value was NaN or infinite
  std::optional<FeatureId> first_non_finite;  // the row of the first of them
};

class Table {
 public:
  virtual ~Table() = default;

  // Shape: ids (n), values (n, dim) row-major fp32, rows (n). Cost: O(n) and one cache miss for index and row
  // each. Throws Error naming table, rows and bytes when memory cannot be had.
  virtual void lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values,
                      std::span<Row> rows, Moment when) = 0;

  // Applies the optimizer once per row, at this step's learning rate; absent rows are passed over. Shape:
  // rows (n) distinct, of a look-up whose Moment protects them, gradients (n, dim). Post: a row with a
  // non-finite gradient is left as it was and counted; the first one is named in the log.
  virtual void update(std::span<const Row> rows, std::span<const float> gradients, Step step) = 0;

  [[nodiscard]] virtual const config::TableSchema& schema() const = 0;
  [[nodiscard]] virtual TableStatistics statistics() const = 0;

  // --- checkpoint: rows in a fixed order (inner shard, slot), as columns of bytes ---
  // Bytes of one row's values as stored (dim * 4, 2 or 1), and how many fp32 values of state_names().
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
  // Inserts rows exactly as saved. Same value_bytes and state_floats. Error naming an id that is there
  // already.
  virtual void insert_block(const Block& block) = 0;

  // Ids that were seen but have no row yet, of tables that admit by sightings: place_hash() with its lowest
  // four bits replaced by the count. Others have none and take none.
  [[nodiscard]] virtual std::vector<std::uint64_t> sightings() const = 0;
  virtual void insert_sightings(std::span<const std::uint64_t> words) = 0;
};

// A row that makes room; the spans are good during the call. Shape: values (dim), state as in Block.
struct EvictedRow {
  const config::TableSchema& schema;
  FeatureId id;
  Step step;
  std::span<const float> values;
  std::span<const float> state;
};

struct TableOptions {
  std::uint64_t seed = 1;       // the run's
  std::int32_t num_owners = 1;  // that share the table's rows
  std::function<void(const EvictedRow&)> on_evicted =
      nullptr;  // of tables with a journal; one call at a time
  ThreadTeam* team =
      nullptr;  // that batches are shared out over, none = the caller alone; outlives the table
  std::function<double()> clock = now_seconds;  // for ttl_seconds
  std::filesystem::path disk_folder{};          // eviction.directory as it is to be opened
  ThreadTeam* disk_team = nullptr;              // that reads rows from there; outlives the table
};

// Never fails for an empty table.
[[nodiscard]] std::unique_ptr<Table> make_table(const config::TableSchema& schema,
                                                const TableOptions& options);

// Names of a table's state columns ("accumulator"; "m", "v", "count"; "scale" of int8 rows; "last_use",
// "uses" of tables that evict), for the checkpoint's attributes.
// Columns per element are dim wide, columns per row one: the widths add up to Table::state_floats().
[[nodiscard]] std::vector<std::string> state_names(const config::Table& table);

}  // namespace persia::table
