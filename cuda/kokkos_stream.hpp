// The stream in which Kokkos's default instance runs kernels: copies and products that depend on kernels, or
// on which kernels depend, go into it, so that no fence is needed between them. Kept out of line: only the
// source behind it needs Kokkos's headers, and so nvcc.
//
// Pre: Kokkos is initialised. Callers: cuda/ only.
#pragma once

#include <cuda_runtime_api.h>

namespace persia::cuda {

[[nodiscard]] cudaStream_t kokkos_stream();

}  // namespace persia::cuda
