// What the operating system grants this process: cores, shared memory, locked memory, networks. Reads /proc
// and /sys only.
//
// Nothing here throws: what cannot be read keeps its default, which says so. Thread safe. Caller: `persia
// doctor`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace persia::sys {

struct HostFacts {
  std::string host{};
  std::int64_t cores_online = 0;
  std::int64_t cores_allowed = 0;     // by the affinity mask
  double cores_quota = 0;             // CPU time of the control group in cores; 0 = no limit
  std::int64_t shm_total_bytes = -1;  // of /dev/shm; -1 = there is none
  std::int64_t shm_free_bytes = -1;
  std::int64_t memlock_bytes = -1;        // limit of locked memory; -1 = none
  std::string ptrace_scope{};             // Yama's setting, "0" .. "3"; "" = no Yama
  std::vector<std::string> interfaces{};  // network interfaces that are up, without loopback
  bool infiniband = false;                // an RDMA device is there
};

[[nodiscard]] HostFacts examine_host();

}  // namespace persia::sys
