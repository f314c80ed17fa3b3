// What to tell the person when one-sided communication is missing, and which component was taken when not.
#pragma once

#include <cstdint>
#include <string>

namespace persia::sys {

// One message: size, MPI's reason, the settings that choose a component, room in /dev/shm, and remedies.
[[nodiscard]] std::string window_advice(std::int64_t num_bytes, const std::string& mpi_reason);

// Open MPI backs windows with files named after the component: "sm" or "rdma" if the address lies in one of
// them, "other" if not.
[[nodiscard]] std::string component_of_mapping(const void* address);

}  // namespace persia::sys
