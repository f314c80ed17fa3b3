// The inner loops over a block of rows, chosen once per table: copy values out, apply the optimizer.
//
// kernels_x86_64.cpp picks the version compiled for the best instruction set of this processor,
// kernels_any.cpp has one version. Every version gives the same bits: products and sums are not contracted,
// sums have a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/run_file.hpp"
#include "table/row_layout.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

inline constexpr std::int32_t kBlockRows = 8;

// Shape: rows (num_rows) of records, out (more than any position, dim): row r goes to positions[r].
struct GatherJob {
  const RowLayout* layout;
  const std::byte* const* rows;
  const std::uint32_t* positions;
  std::int32_t num_rows;
  float* out;
};
using GatherFunction = void (*)(const GatherJob&);

// Shape: rows (num_rows <= 32) of records, gradients (more than any position, dim): that of row r is at
// positions[r].
struct UpdateJob {
  const RowLayout* layout;
  const UpdateArguments* arguments;
  std::uint64_t rounding_key;
  std::byte* const* rows;
  const std::uint32_t* positions;
  const float* gradients;
  std::int32_t num_rows;
};
// Returns a bit per row whose gradient was not finite and which was left as it was.
using UpdateFunction = std::uint32_t (*)(const UpdateJob&);

// Rounds to nearest into the values of one record. Shape: values (dim).
using StoreFunction = void (*)(const RowLayout&, const float* values, std::byte* row);

struct Kernels {
  GatherFunction gather;
  UpdateFunction update;
  StoreFunction store;
};

// The versions that this processor can run, the best first; never empty.
[[nodiscard]] std::vector<Kernels> kernel_versions(config::OptimizerType optimizer,
                                                   config::Precision precision);

}  // namespace persia::table
