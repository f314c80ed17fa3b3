// The trainer team on GPUs: which device each trainer takes, and their all-reduce on device memory. CPU
// builds (device_team_host.cpp) have none of it; cuda/nccl_team.cpp and cuda/devices.cpp implement it.
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
  // In place over the team, on device memory; returns when the sum is there. Starts after the work given to
  // Kokkos's default stream so far. Collective over the team; called by the compute thread only. If a peer
  // was lost or does not come within the time-out: aborts the communicator, so that no other member waits for
  // ever, and throws Error with NCCL's text.
  virtual void sum(std::span<float> device_values) = 0;
};

// The device a trainer shall use: its place among the trainers of its host, modulo the devices seen. -1 in
// CPU builds. To be asked before Kokkos starts (KokkosSession takes the answer). UserError in GPU builds if
// no device is seen. Collective over `trainers`.
[[nodiscard]] int choose_device(const Communicator& trainers);

// The team on the devices chosen; the NCCL id is broadcast on `trainers`. nullptr in CPU builds: use
// Communicator::start_sum. `timeout_seconds` bounds the wait for a peer, here and in sum(). Collective over
// `trainers`.
[[nodiscard]] std::unique_ptr<DeviceTeam> make_device_team(const Communicator& trainers,
                                                           double timeout_seconds);

// One line per GPU seen ("0: NVIDIA H200, 139 GiB, compute 9.0"); empty in CPU builds or without a driver.
[[nodiscard]] std::vector<std::string> describe_devices();

}  // namespace persia::sys
