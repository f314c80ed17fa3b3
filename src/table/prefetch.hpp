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

// The lines of a record, the first ten of long ones: the processor itself runs on along those. How many
// requests are made does not depend on where it stands, so that the branches of a loop over records are
// foreseen; for some the last line is asked for twice.
[[gnu::always_inline]] inline void prefetch_record(const std::byte* begin, std::int32_t bytes) {
  constexpr std::int32_t kLine = 64;
  const std::int32_t near = std::min(bytes, 10 * kLine);
  for (std::int32_t at = 0; at < near; at += kLine) prefetch_line(begin + at);
  prefetch_line(begin + near - 1);
}

}  // namespace persia::table
