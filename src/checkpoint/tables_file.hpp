// What save_tables.cpp, load_tables.cpp and contents.cpp share about embedding-*.h5 (README.md).
#pragma once

#include <cstdint>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "sys/hdf5.hpp"

namespace persia::checkpoint {

inline constexpr std::int64_t block_rows = 65536;  // rows in memory at a time

[[nodiscard]] sys::Hdf5Type value_type(config::Precision precision);

// Whether an id with some place hash can belong to owner `a` of `num_a` and to owner `b` of `num_b`.
[[nodiscard]] bool ranges_overlap(OwnerIndex a, std::int32_t num_a, OwnerIndex b, std::int32_t num_b);

// Root attributes of every HDF5 file of a checkpoint.
void write_root_attributes(sys::Hdf5Group& root, const char* content, Step step);

}  // namespace persia::checkpoint
