// How much memory a table of so many rows will take, before there is one. Callers: `persia bench`,
// eviction.
#pragma once

#include <cstdint>

#include "config/run_file.hpp"

namespace persia::table {

struct Footprint {
  double record_bytes = 0;   // of one row: id, values, state
  double bytes_per_row = 0;  // everything resident: records, index, and the unused end of slabs or pages
};

// Expected over ids, which the hash spreads over the inner shards: their indexes grow at slightly different
// times. Pre: rows >= 1, at most 2^32 in an inner shard. UserError for a dim that no table has.
[[nodiscard]] Footprint predict_footprint(const config::Table& table, std::int64_t rows);

// The rows, at least one, that a table of so many bytes holds when each inner shard has as many. Errors as
// above.
[[nodiscard]] std::int64_t rows_within(const config::Table& table, std::int64_t bytes);

}  // namespace persia::table
