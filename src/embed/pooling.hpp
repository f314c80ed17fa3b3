// Rows to network input and back: pooling of looked-up rows per sample, and its transpose for gradients.
//
// Pure functions on plain arrays; called by the compute thread.
#pragma once

#include <span>

#include "config/schema.hpp"
#include "data/batch.hpp"
#include "embed/plan.hpp"

namespace persia::embed {

// Pools rows into the network's input. Shape: rows (plan.num_floats), embedded (num_samples, embedded_width).
// An empty list gives zeros. mean divides by the list's length, sqrtn by its square root.
void pool(const data::Batch& batch, const LookupPlan& plan, const config::Schema& schema,
          std::span<const float> rows, std::span<float> embedded);

// The transpose: gradients of pooled values to one gradient per unique row, times `scale`. Shape:
// row_gradients (num_floats), overwritten.
void combine(const data::Batch& batch, const LookupPlan& plan, const config::Schema& schema,
             std::span<const float> d_embedded, float scale, std::span<float> row_gradients);

}  // namespace persia::embed
