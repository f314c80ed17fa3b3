#include "sys/doctor_host.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace persia::sys {

namespace {

std::int64_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

// cpu.max of control group version 2: "QUOTA PERIOD" in microseconds, or "max PERIOD".
double quota_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period && period > 0 ? quota / period : 0;
}

void read_shared_memory(HostFacts& facts) {
  struct statvfs room {};
  if (::statvfs("/dev/shm", &room) != 0) return;
  const auto unit = static_cast<std::int64_t>(room.f_frsize);
  facts.shm_total_bytes = static_cast<std::int64_t>(room.f_blocks) * unit;
  facts.shm_free_bytes = static_cast<std::int64_t>(room.f_bavail) * unit;
}

std::int64_t locked_memory_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

std::vector<std::string> interfaces_up() {
  std::vector<std::string> names;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return names;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next)
    if ((entry->ifa_flags & IFF_UP) != 0 && (entry->ifa_flags & IFF_LOOPBACK) == 0)
      names.emplace_back(entry->ifa_name);
  ::freeifaddrs(list);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string first_word(const char* path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

}  // namespace

HostFacts examine_host() {
  HostFacts facts;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) facts.host = name.data();
  facts.cores_online = ::sysconf(_SC_NPROCESSORS_ONLN);
  facts.cores_allowed = allowed_cores();
  facts.cores_quota = quota_cores();
  read_shared_memory(facts);
  facts.memlock_bytes = locked_memory_limit();
  facts.ptrace_scope = first_word("/proc/sys/kernel/yama/ptrace_scope");
  facts.interfaces = interfaces_up();
  std::error_code ignored;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", ignored);
  facts.infiniband = !ignored && devices != std::filesystem::directory_iterator{};
  return facts;
}

}  // namespace persia::sys
