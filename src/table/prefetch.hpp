// Requests for cache lines ahead of their use.
//
// Always inlined: GCC takes a function that only prefetches for one that does nothing, and drops calls of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace persia::table {

// Into the second level: more requests fit on their way to it than to the first, and it keeps them until they
// are used.
[[gnu::always_inline]] inline void prefetch_line(const void* line) {
  __builtin_prefetch(line, 0, 2);
}

// The lines of [begin, begin + bytes), at most kMaxLines of them: the processor itself runs on along a long
// row.
[[gnu::always_inline]] inline void prefetch_lines(const std::byte* begin, std::int32_t bytes) {
  constexpr std::uintptr_t kLine = 64;
  constexpr std::uintptr_t kMaxLines = 10;
  const auto first = reinterpret_cast<std::uintptr_t>(begin) / kLine * kLine;
  const std::uintptr_t end =
      std::min(reinterpret_cast<std::uintptr_t>(begin) + static_cast<std::uintptr_t>(bytes),
               first + kMaxLines * kLine);
  for (std::uintptr_t at = first; at < end; at += kLine) prefetch_line(reinterpret_cast<const void*>(at));
}

// The same for a row, which hardly ever takes more than three lines: without a loop.
[[gnu::always_inline]] inline void prefetch_row(const std::byte* row, std::int32_t bytes) {
  prefetch_line(row);
  prefetch_line(row + bytes - 1);
  if (bytes > 65) prefetch_line(row + 64);
  if (bytes > 129) prefetch_lines(row + 128, bytes - 128);
}

}  // namespace persia::table
