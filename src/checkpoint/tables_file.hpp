// What save_tables.cpp, load_tables.cpp and contents.cpp share about embedding-*.h5 (README.md).
#pragma once

#include <cstdint>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

inline constexpr std::int64_t max_block_rows = 65536;
inline constexpr std::int64_t max_block_bytes = std::int64_t{16} << 20;

// Rows that are in memory at a time beside a table: what both limits allow, at least one. `row_bytes`: id,
// values and state of one.
[[nodiscard]] std::int64_t rows_per_block(std::int64_t row_bytes);

[[nodiscard]] sys::Hdf5Type value_type(config::Precision precision);

// Whether an id with some place hash can belong to owner `a` of `num_a` and to owner `b` of `num_b`.
[[nodiscard]] bool ranges_overlap(OwnerIndex a, std::int32_t num_a, OwnerIndex b, std::int32_t num_b);

// Root attributes of every HDF5 file of a checkpoint.
void write_root_attributes(sys::Hdf5Group& root, const char* content, Step step);

}  // namespace persia::checkpoint
