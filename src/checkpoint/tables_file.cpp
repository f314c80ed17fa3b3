#include "checkpoint/tables_file.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace persia::checkpoint {

namespace {

// First value of the hash's top 32 bits that owner_of() gives to `owner`; 2^32 for owner == num_owners.
std::uint64_t range_begin(std::int64_t owner, std::int32_t num_owners) {
  const auto n = static_cast<std::uint64_t>(num_owners);
  return ((static_cast<std::uint64_t>(owner) << 32) + n - 1) / n;
}

}  // namespace

std::int64_t rows_per_block(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(max_block_bytes / row_bytes, 1, max_block_rows);
}

sys::Hdf5Type value_type(config::Precision precision) {
  switch (precision) {
    case config::Precision::fp32:
      return sys::Hdf5Type::float32;
    case config::Precision::fp16:
      return sys::Hdf5Type::float16;
    case config::Precision::bf16:
      return sys::Hdf5Type::bfloat16;
    case config::Precision::int8:
      return sys::Hdf5Type::int8;
  }
  fail("unknown precision");
}

bool ranges_overlap(OwnerIndex a, std::int32_t num_a, OwnerIndex b, std::int32_t num_b) {
  return range_begin(a.value(), num_a) < range_begin(b.value() + std::int64_t{1}, num_b) &&
         range_begin(b.value(), num_b) < range_begin(a.value() + std::int64_t{1}, num_a);
}

void write_root_attributes(sys::Hdf5Group& root, const char* content, Step step) {
  root.write_text("format", "persia-checkpoint");
  root.write_integer("format_version", 1);
  root.write_text("content", content);
  root.write_integer("step", step.value());
}

}  // namespace persia::checkpoint
