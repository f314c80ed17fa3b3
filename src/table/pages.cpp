#include "table/pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <utility>

namespace persia::table {

namespace {

// Older C libraries do not name them.
constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE of Linux 5.14
constexpr int kCollapse = 25;       // MADV_COLLAPSE of Linux 6.1

}  // namespace

Pages::Pages(std::size_t bytes) : bytes_(round_up(bytes, kPageBytes)) {
  const std::size_t slack = bytes_ < kHugePageBytes ? 0 : kHugePageBytes - kPageBytes;
  void* const start = ::mmap(nullptr, bytes_ + slack, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw OutOfMemory(bytes_);
  data_ = static_cast<std::byte*>(start);
  if (slack == 0) return;
  const std::size_t before =
      (kHugePageBytes - reinterpret_cast<std::uintptr_t>(start) % kHugePageBytes) % kHugePageBytes;
  if (before > 0) ::munmap(start, before);
  data_ += before;
  if (slack > before) ::munmap(data_ + bytes_, slack - before);
}

Pages::~Pages() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void avoid_huge_pages(std::byte* begin, std::size_t bytes) {
  ::madvise(begin, bytes, MADV_NOHUGEPAGE);
}

void prefer_huge_pages(std::byte* begin, std::size_t bytes) {
  ::madvise(begin, bytes, MADV_HUGEPAGE);
}

void make_resident(std::byte* begin, std::size_t bytes) {
  ::madvise(begin, bytes, kPopulateWrite);
}

void gather_into_huge_pages(std::byte* begin, std::size_t bytes) {
  // Without the collapse call, the advice lets the system's own daemon do it in time.
  prefer_huge_pages(begin, bytes);
  ::madvise(begin, bytes, kCollapse);
}

}  // namespace persia::table
