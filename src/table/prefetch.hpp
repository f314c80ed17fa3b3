// Requests for cache lines ahead of their use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace persia::table {

// Into the second level: more requests fit on their way to it than to the first, and it keeps them until they
// are used.
inline void prefetch_line(const void* line) {
  __builtin_prefetch(line, 0, 2);
}

// The lines of [begin, begin + bytes), at most kMaxLines of them: the processor itself runs on along a long
// row.
inline void prefetch_lines(const std::byte* begin, std::int32_t bytes) {
  constexpr std::uintptr_t kLine = 64;
  constexpr std::uintptr_t kMaxLines = 10;
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / kLine * kLine;
  const std::uintptr_t end =
      std::min(reinterpret_cast<std::uintptr_t>(begin) + static_cast<std::uintptr_t>(bytes),
               first + kMaxLines * kLine);
  for (std::uintptr_t at = first; at < end; at += kLine) prefetch_line(reinterpret_cast<const void*>(at));
}

}  // namespace persia::table
