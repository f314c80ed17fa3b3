#include "sys/heap.hpp"

#include <malloc.h>

namespace persia::sys {

namespace {

constexpr int kLargestInHeap = 32 << 20;  // the most that glibc takes
constexpr int kKeptBytes = 1 << 30;

}  // namespace

void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, kLargestInHeap);
  ::mallopt(M_TRIM_THRESHOLD, kKeptBytes);
}

}  // namespace persia::sys
