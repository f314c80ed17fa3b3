// What one batch must look up: unique ids per table by owner, and how samples refer to them.
//
// Built by the reader thread next to the batch, read-only afterwards. Unique over all columns of a table, so
// a row travels once per batch and its gradients are combined before they leave.
#pragma once

#include <cstdint>
#include <vector>

#include "base/strong.hpp"
#include "config/schema.hpp"
#include "data/batch.hpp"

namespace persia::embed {

struct TablePlan {
  std::vector<FeatureId> ids;             // unique; grouped by owner, ascending within an owner
  std::vector<std::int32_t> owner_begin;  // (num_owners + 1) places in ids
};

struct LookupPlan {
  std::vector<TablePlan> tables;  // by TableIndex
  std::vector<std::vector<std::int32_t>>
      row_of_entry;  // per column: entry k of Batch.columns[c].ids -> place in its table's ids
  std::vector<std::int64_t>
      row_begin;                // per table: first float of its rows in a batch's row buffer (n_t, dim_t)
  std::int64_t num_floats = 0;  // of the whole row buffer
};

[[nodiscard]] LookupPlan make_plan(const data::Batch& batch, const config::Schema& schema,
                                   std::int32_t num_owners);

}  // namespace persia::embed
