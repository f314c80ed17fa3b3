// Checked calls of the CUDA runtime: every code is looked at, and an Error carries the caller's place and
// CUDA's own text. Thread safe. Callers: cuda/ only.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace persia::cuda {

// Throws Error unless `code` is cudaSuccess. A failed kernel of earlier work may be what is reported.
void check(cudaError_t code, std::source_location where = std::source_location::current());

// For destructors: never throws, logs once per call what went wrong, and is silent when the driver is already
// shutting down.
void check_no_throw(cudaError_t code, std::source_location where = std::source_location::current()) noexcept;

}  // namespace persia::cuda
