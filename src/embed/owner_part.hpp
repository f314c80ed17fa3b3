// What one owner holds of a batch's plan, table by table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/schema.hpp"
#include "embed/plan.hpp"
#include "wire/values.hpp"

namespace persia::embed {

// Consecutive floats of a batch's row buffer.
struct Run {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct OwnerPart {
  std::span<const FeatureId>
      ids;            // ascending; of all rows of a split batch: of those asked for, then of the others
  wire::Block block;  // their rows
  std::size_t first_float = 0;     // of these in the batch's row buffer, where they lie in one piece
  std::span<const Run> runs = {};  // where they lie otherwise, in the order of ids

  // Calls visit(first float, number of floats) in the order of ids.
  template <class Visit>
  void for_each_run(Visit visit) const {
    if (runs.empty()) return visit(first_float, block.num_values());
    for (const Run& run : runs) visit(run.first, run.count);
  }
};

// The part's values in the order of ids: where they lie, or put together in `scratch`.
[[nodiscard]] std::span<const float> gathered(const OwnerPart& part, std::span<const float> row_buffer,
                                              std::vector<float>& scratch);
// Where values in the order of ids go: their place in the buffer, or `scratch`, from which scatter() brings
// them there.
[[nodiscard]] std::span<float> room_for(const OwnerPart& part, std::span<float> row_buffer,
                                        std::vector<float>& scratch);
void scatter(const OwnerPart& part, std::span<const float> values, std::span<float> row_buffer);

// By TableIndex, also where there are none. They point into the plan.
[[nodiscard]] std::vector<OwnerPart> parts_of(const LookupPlan& plan, const config::Schema& schema,
                                              std::int32_t owner);

}  // namespace persia::embed
