// Requests for cache lines ahead of their use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace persia::table {

// The lines of [begin, begin + bytes), at most kMaxLines of them: the processor itself runs on along a long
// row.
inline void prefetch_lines(const std::byte* begin, std::int32_t bytes) {
  constexpr std::int32_t kLine = 64;
  constexpr std::int32_t kMaxLines = 10;
  const std::int32_t stop = bytes < kLine * kMaxLines ? bytes : kLine * kMaxLines;
  for (std::int32_t at = 0; at < stop; at += kLine) __builtin_prefetch(begin + at);
  __builtin_prefetch(begin + stop - 1);
}

}  // namespace persia::table
