#include "check.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace persia::cuda {

void check(cudaError_t code, std::source_location where) {
  if (code == cudaSuccess) return;
  throw Error(fmt::format("CUDA: {} ({})", cudaGetErrorString(code), cudaGetErrorName(code)), where);
}

void check_no_throw(cudaError_t code, std::source_location where) noexcept {
  if (code == cudaSuccess || code == cudaErrorCudartUnloading) return;
  try {
    log::error("CUDA: {} ({}), while cleaning up in {}", cudaGetErrorString(code), cudaGetErrorName(code),
               where.function_name());
  } catch (...) {  // A log that fails must not end the process from a destructor.
  }
}

}  // namespace persia::cuda
