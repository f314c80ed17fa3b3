// Where the parts of one row's record stand.
//
//   0                  id                8 bytes
//   8                  scale             fp32, of int8 rows (precision.hpp)
//   usage_offset       usage             fp32, of tables that evict (eviction.hpp): step of the last use,
//   with
//                                        lfu the count of uses; on the line that a look-up reads anyway
//   values_offset      values            dim * value size, padded to a multiple of 4
//   state_offset       element states    arrays of dim: fp32, or bf16 and padded to a multiple of 4 each
//   row_states_offset  row states        fp32, the update count last if the table keeps one
//
// Records are multiples of 4 bytes and stand back to back in a slab.
#pragma once

#include <cstdint>

#include "config/run_file.hpp"

namespace persia::table {

inline constexpr std::int32_t kMaxDim = 4096;
inline constexpr std::int32_t kScaleOffset = 8;

struct RowLayout {
  std::int32_t dim = 0;
  bool has_scale = false;
  std::int32_t usage_offset = 0;
  std::int32_t usage_floats = 0;
  std::int32_t values_offset = 0;
  std::int32_t value_bytes = 0;  // of all values, without padding
  std::int32_t state_offset = 0;
  std::int32_t element_states = 0;
  bool narrow_states = false;            // bf16
  std::int32_t element_state_bytes = 0;  // of one array, with padding
  std::int32_t row_states_offset = 0;
  std::int32_t row_states = 0;  // the count included
  bool counts_updates = false;  // the last row state is the update count
  std::int32_t row_bytes = 0;

  [[nodiscard]] std::int32_t lookup_bytes() const { return values_offset + value_bytes; }
  // Numbers that a row has beside its values.
  [[nodiscard]] std::int32_t state_floats() const {
    return element_states * dim + row_states + (has_scale ? 1 : 0) + usage_floats;
  }
};

// Pre: 1 <= table.dim <= 4096 (UserError otherwise).
[[nodiscard]] RowLayout make_row_layout(const config::Table& table);

}  // namespace persia::table
