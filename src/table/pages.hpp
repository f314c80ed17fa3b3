// Owner of a run of zeroed memory pages taken straight from the system.
//
// Runs of 2 MiB and more start on a 2 MiB boundary, so that the system can back them with huge pages. Memory
// becomes resident when it is first touched. Not thread safe.
#pragma once

#include <cstddef>
#include <new>

namespace persia::table {

inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

// The multiple of `unit` at or above `bytes`.
[[nodiscard]] constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// What Pages throws; callers that know the table say which one it was.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bytes) : bytes_(bytes) {}
  [[nodiscard]] const char* what() const noexcept override { return "memory pages cannot be had"; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
};

class Pages {
 public:
  Pages() = default;
  // `bytes` are rounded up to whole pages. Throws OutOfMemory.
  explicit Pages(std::size_t bytes);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Keeps the system from backing it with huge pages, which some give to whoever has not asked. Without effect
// where it has none.
void avoid_huge_pages(std::byte* begin, std::size_t bytes);

// Asks for huge pages on the first touch of [begin, begin + bytes). Without effect where the system has none.
void prefer_huge_pages(std::byte* begin, std::size_t bytes);

// Makes memory resident as writing to all of it would, contents kept. Without effect where the system cannot.
void make_resident(std::byte* begin, std::size_t bytes);

// Turns memory that starts on a 2 MiB boundary into huge pages, contents kept, also where they were avoided.
// Without effect where the system cannot.
void gather_into_huge_pages(std::byte* begin, std::size_t bytes);

}  // namespace persia::table
