#include "kokkos_stream.hpp"

#include <Kokkos_Core.hpp>

namespace persia::cuda {

cudaStream_t kokkos_stream() {
  return Kokkos::Cuda().cuda_stream();
}

}  // namespace persia::cuda
