// Whether a network can be held at all: asked before anything is allocated, so that the answer names the
// layer and the key instead of an allocation that failed.
#pragma once

#include <cstdint>
#include <vector>

#include "model/summary.hpp"

namespace persia::model {

// UserError naming the largest layer, its bytes and its key in the run file if the parameters and gradients
// of `layers` alone exceed `memory_bytes` (0 = not known, never an error).
void require_memory(const std::vector<LayerSummary>& layers, std::int64_t memory_bytes);

}  // namespace persia::model
