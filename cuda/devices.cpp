// Which GPUs this process sees and which one it takes (sys/device_team.hpp).
#include <cuda_runtime_api.h>

#include "base/error.hpp"
#include "check.hpp"
#include "sys/device_team.hpp"

namespace persia::sys {
namespace {

struct Devices {
  int count = 0;
  const char* reason = "";  // why there are none
};

// No driver and no device are ordinary outcomes here, not errors.
Devices see_devices() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return {.count = count};
  return {.reason = code == cudaSuccess ? "the driver knows no device" : cudaGetErrorString(code)};
}

}  // namespace

int choose_device(const Communicator& trainers) {
  const Devices devices = see_devices();
  require_user(
      devices.count > 0,
      "this persia computes on GPUs and sees none here ({}). Give the trainers a GPU (`persia doctor` "
      "lists what is seen) or use a build with PERSIA_CUDA=OFF",
      devices.reason);
  const int device = trainers.split_by_host().rank() % devices.count;
  cuda::check(cudaSetDevice(device));
  return device;
}

std::vector<std::string> describe_devices() {
  std::vector<std::string> lines;
  for (int device = 0; device < see_devices().count; ++device) {
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, device));
    lines.push_back(fmt::format("{}: {}, {} GiB, compute {}.{}", device, properties.name,
                                properties.totalGlobalMem >> 30, properties.major, properties.minor));
  }
  return lines;
}

}  // namespace persia::sys
