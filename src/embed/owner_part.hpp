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

struct OwnerPart {
  std::span<const FeatureId> ids;  // ascending
  wire::Block block;               // their rows
  std::size_t first_float = 0;     // of these in the batch's row buffer
};

// By TableIndex, also where there are none. They point into the plan.
[[nodiscard]] std::vector<OwnerPart> parts_of(const LookupPlan& plan, const config::Schema& schema,
                                              std::int32_t owner);

}  // namespace persia::embed
