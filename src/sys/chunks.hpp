// Cutting long buffers into calls that MPI's int counts can express.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace persia::sys {

// Bytes of one MPI call. Well below the 2 GiB that an int can count, even for single bytes.
inline constexpr std::size_t kLargestCallBytes = std::size_t{1} << 30;

// Calls `use` with consecutive parts of at most `most` elements; not at all for an empty buffer. Pre: most >
// 0.
template <class T, class Use>
void for_each_chunk(std::span<T> values, std::size_t most, Use&& use) {
  for (std::size_t begin = 0; begin < values.size(); begin += most)
    use(values.subspan(begin, std::min(most, values.size() - begin)));
}

template <class T, class Use>
void for_each_chunk(std::span<T> values, Use&& use) {
  for_each_chunk(values, kLargestCallBytes / sizeof(T), use);
}

}  // namespace persia::sys
