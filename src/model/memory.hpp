// Copies between host arrays and the memory in which the network runs. On CPU builds both are host memory.
#pragma once

#include <span>

namespace persia::model {

// Pre: equal sizes. Waits until the copy is done.
void copy_to_host(std::span<const float> from, std::span<float> to);
void copy_from_host(std::span<const float> from, std::span<float> to);

}  // namespace persia::model
