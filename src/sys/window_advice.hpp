// What to tell the person when one-sided communication is missing, and which component was taken when not.
#pragma once

#include <cstdint>
#include <string>

#include "sys/communicator.hpp"

namespace persia::sys {

// One message: size, MPI's reason, the settings that choose a component, room in /dev/shm, and remedies.
[[nodiscard]] std::string window_advice(std::int64_t num_bytes, const std::string& mpi_reason);

// Before windows of `num_bytes` on this rank are asked for: MPI itself ends, or is killed, where memory runs
// short.
// "" if there is room, else which memory is short of what. One host: its shared memory holds all windows.
// Collective.
[[nodiscard]] std::string window_shortage(const Communicator& comm, std::int64_t num_bytes);

// Open MPI backs windows with files named after the component: "sm" or "rdma" if the address lies in one of
// them, "other" if not.
[[nodiscard]] std::string component_of_mapping(const void* address);

}  // namespace persia::sys
