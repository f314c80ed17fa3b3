#include "sys/window_advice.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "base/error.hpp"
#include "base/memory_size.hpp"

namespace persia::sys {

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fmt::format("{} is not set", name) : fmt::format("{}={}", name, value);
}

// nullopt where there is no /dev/shm.
std::optional<std::int64_t> shared_memory_free_bytes() {
  struct statvfs room {};
  if (::statvfs("/dev/shm", &room) != 0) return std::nullopt;
  return static_cast<std::int64_t>(room.f_bavail * room.f_frsize);
}

std::string shared_memory_room() {
  const std::optional<std::int64_t> free = shared_memory_free_bytes();
  return free ? fmt::format("/dev/shm has {} MiB free", *free >> 20) : "/dev/shm cannot be read";
}

}  // namespace

std::string window_advice(std::int64_t num_bytes, const std::string& mpi_reason) {
  return fmt::format(
      "MPI cannot make a window of {} bytes for the mailboxes: {} ({}, {}, {}). "
      "Give mpirun a one-sided component that fits the launch: on one host `--mca osc sm`; over several "
      "hosts "
      "`--mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any`. "
      "If /dev/shm is too small, enlarge it or lower mail.ring_bytes. "
      "Or set mail.transport: two_sided, which needs no window.",
      num_bytes, mpi_reason, setting("OMPI_MCA_osc"), setting("OMPI_MCA_pml"), shared_memory_room());
}

std::string window_shortage(const Communicator& comm, std::int64_t num_bytes) {
  const Communicator host = comm.split_by_host();
  std::array<std::int64_t, 1> needed{num_bytes};
  host.sum(needed);
  const std::int64_t memory = physical_memory_bytes();
  const std::int64_t free = host.size() == comm.size() ? shared_memory_free_bytes().value_or(memory) : memory;
  const std::int64_t given = std::min(memory, free);
  std::string own;
  if (needed[0] > given)
    own = fmt::format("the mailboxes of {} ranks on one host need {} MiB, and {} has {} MiB", host.size(),
                      needed[0] >> 20, free < memory ? "/dev/shm" : "the host", given >> 20);
  for (const std::string& text : comm.gather_texts(own))
    if (!text.empty()) return text;
  return "";
}

std::string component_of_mapping(const void* address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    char* end = nullptr;
    const std::uintptr_t begin = std::strtoull(line.c_str(), &end, 16);
    const std::uintptr_t past = *end == '-' ? std::strtoull(end + 1, nullptr, 16) : 0;
    if (wanted < begin || wanted >= past) continue;
    if (line.find("osc_sm") != std::string::npos) return "sm";
    if (line.find("osc_rdma") != std::string::npos) return "rdma";
  }
  return "other";
}

}  // namespace persia::sys
