// How much memory there is, and amounts of it as people read them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace persia {

// Of the machine, in bytes; 0 if the system does not tell. What a process may really have can be much less.
[[nodiscard]] inline std::int64_t physical_memory_bytes() {
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES);
  const std::int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
}

// "512 bytes", "64.0 KiB", "1.5 TiB". A double, so that estimates cannot overflow.
[[nodiscard]] inline std::string memory_text(double bytes) {
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < units.size(); bytes /= 1024) ++unit;
  return fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace persia
