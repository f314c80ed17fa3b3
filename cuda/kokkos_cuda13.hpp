// Lets Kokkos 4.7.0 compile with CUDA 13, which changed the arguments of two runtime functions: the earlier
// signatures as overloads that forward to the present ones.
//
// Forced in front of every CUDA source (-include), in Kokkos's own build and in ours, because Kokkos's public
// headers call both functions. Goes when the oldest supported Kokkos knows CUDA 13.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t num_dependencies) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, num_dependencies);
}

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t num_bytes, int device,
                                        cudaStream_t stream) {
  const cudaMemLocation place{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                              device == cudaCpuDeviceId ? 0 : device};
  return cudaMemPrefetchAsync(pointer, num_bytes, place, 0, stream);
}
