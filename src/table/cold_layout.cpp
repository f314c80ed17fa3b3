#include "table/cold_layout.hpp"

#include "base/block_file.hpp"
#include "base/error.hpp"

namespace persia::table {

// Ends at eight records a block at the latest.
ColdLayout make_cold_layout(std::int32_t row_bytes) {
  expects(row_bytes >= 8, "records that start with an id");
  const auto size = static_cast<std::size_t>(row_bytes);
  std::size_t block = kBlockAlignment;
  while (block % size > block / 8) block += kBlockAlignment;
  return {size, block, static_cast<std::uint32_t>(block / size)};
}

}  // namespace persia::table
