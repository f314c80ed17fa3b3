// The inner loops over a block of rows, chosen once per table: find rows, copy values out, apply the
// optimizer.
//
// kernels_x86_64.cpp picks the version compiled for the best instruction set of this processor,
// kernels_any.cpp has one version. Every version gives the same bits: products and sums are not contracted,
// sums have a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/run_file.hpp"
#include "table/inner_shard.hpp"
#include "table/lookup_block.hpp"
#include "table/row_layout.hpp"
#include "table/update_arguments.hpp"

namespace persia::table {

// The ids of a batch, and a bit for each inner shard whose ids are to be taken.
struct RequestJob {
  const FeatureId* ids;
  std::size_t num_ids;
  std::uint64_t salt;
  const InnerShard* shards;
  std::uint32_t wanted_shards;
};
inline constexpr std::uint32_t kAllShards = (1U << kInnerShards) - 1;

// Fills the block's ids, places, positions and homes from ids[at] on, and has the homes brought near. Returns
// where the next block begins.
using RequestFunction = std::size_t (*)(const RequestJob&, std::size_t at, LookupBlock&);

// Names the first candidate of each id's home, and has its row brought near as far as a look-up reads it;
// where there is none, the chunk after the home if the row may stand there. Pre: the homes are right.
using GuessFunction = void (*)(const InnerShard* shards, std::int32_t lookup_bytes, LookupBlock&);

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

// values[i] = (2 k + 1 - 2^24) unit for the upper 24 of 32 bits k, two in each of mix64(key), mix64(key + 1),
// ..., the lower half first. Shape: values (dim).
using UniformFunction = void (*)(std::uint64_t key, float unit, std::int32_t dim, float* values);

struct Kernels {
  RequestFunction request;
  GuessFunction guess;
  UniformFunction uniform;
  GatherFunction gather;
  UpdateFunction update;
  StoreFunction store;
};

// The versions that this processor can run, the best first; never empty.
[[nodiscard]] std::vector<Kernels> kernel_versions(config::OptimizerType optimizer,
                                                   config::Precision precision);

}  // namespace persia::table
