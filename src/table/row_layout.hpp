// Where the parts of one row's record stand.
//
//   0              id                 8 bytes
//   8              usage              fp32, of tables that evict (eviction.hpp): step of the last use, with
//   lfu
//                                     the count of uses; on the line that a look-up reads anyway
//   values_offset  values             dim * value size, padded to a multiple of 4
//   state_offset   optimizer state    fp32: arrays of dim per element state, then one per row state, then the
//                                     update count if the table keeps one
//
// Records are multiples of 4 bytes and stand back to back in a slab.
#pragma once

#include <cstdint>

#include "config/run_file.hpp"

namespace persia::table {

inline constexpr std::int32_t kMaxDim = 4096;
inline constexpr std::int32_t kUsageOffset = 8;

struct RowLayout {
  std::int32_t dim = 0;
  std::int32_t usage_floats = 0;
  std::int32_t values_offset = 0;
  std::int32_t value_bytes = 0;  // of all values, without padding
  std::int32_t state_offset = 0;
  std::int32_t state_floats = 0;  // of the optimizer, the count included
  std::int32_t row_bytes = 0;
  bool counts_updates = false;  // the last state is the update count

  [[nodiscard]] std::int32_t lookup_bytes() const { return values_offset + value_bytes; }
  [[nodiscard]] std::int32_t count_state() const { return state_floats - 1; }
};

// Pre: 1 <= table.dim <= 4096 (UserError otherwise).
[[nodiscard]] RowLayout make_row_layout(const config::Table& table);

}  // namespace persia::table
