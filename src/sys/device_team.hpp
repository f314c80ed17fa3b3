// The trainer team's all-reduce on GPUs. CPU builds (device_team_host.cpp) have none; cuda/nccl_team.cu
// implements it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sys/communicator.hpp"

namespace persia::sys {

class DeviceTeam {
 public:
  virtual ~DeviceTeam() = default;
  // In place over the team, on device memory; returns when the sum is there. Collective over the team; called
  // by the compute thread only. Throws Error with NCCL's text and aborts the communicator if a peer was lost.
  virtual void sum(std::span<float> device_values) = 0;
};

// Collective over `trainers` (the NCCL id is broadcast on it). nullptr in CPU builds: use
// Communicator::start_sum.
[[nodiscard]] std::unique_ptr<DeviceTeam> make_device_team(const Communicator& trainers);

// One line per GPU seen ("0: NVIDIA H200, 139 GiB, compute 9.0"); empty in CPU builds or without a driver.
[[nodiscard]] std::vector<std::string> describe_devices();

}  // namespace persia::sys
