// The memory of one table: equal slabs cut out of large runs of huge pages, for rows and index alike.
//
// Slabs are 64 KiB, or 2 MiB where rows are so long that they would waste part of a smaller one. Small tables
// stay within a first run that becomes resident page by page, on systems that give huge pages to all too;
// once that is used up it turns into huge pages, and what follows is huge pages that are made ahead
// (page_preparer.hpp). So at most three huge pages and a part of each shard's last
// slabs are resident without use. Runs are address space of at most an eighth of what is there, at most 1 GiB
// each. Slabs given back are used again; none goes back to the system before the arena does. Taking and
// giving back is thread safe. Must outlive its Slabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "table/page_preparer.hpp"
#include "table/pages.hpp"

namespace persia::table {

// Slabs of the first run: a table that needs no more is small.
inline constexpr std::size_t kSlabsOfSmallArena = 64;

// What an arena that is no longer small and has cut so many bytes has ahead of the huge page that it cuts
// from: a huge page, two where that is at most one in 32.
[[nodiscard]] constexpr std::size_t prepared_bytes(std::size_t cut_bytes) {
  return (cut_bytes < 64 * kHugePageBytes ? 1 : 2) * kHugePageBytes;
}

// The size of all slabs of a table with rows of so many bytes.
[[nodiscard]] std::size_t slab_bytes_for(std::int32_t row_bytes);

class SlabArena {
 public:
  explicit SlabArena(std::int32_t row_bytes);

  [[nodiscard]] std::size_t slab_bytes() const { return slab_bytes_; }
  // Contents are whatever they are. Throws OutOfMemory, changing nothing.
  [[nodiscard]] std::byte* take();
  void give_back(std::byte* slab) noexcept;

  // Still within the first run: only touched pages are resident, which the users of the slabs know.
  [[nodiscard]] bool small() const { return cut_.run == 0; }
  // Pre: not small().
  [[nodiscard]] std::int64_t resident_bytes() const;

 private:
  // Up to where something was done.
  struct Mark {
    std::size_t run = 0;
    std::size_t bytes = 0;  // of that run
    std::size_t total = 0;  // of all
  };
  // The next piece of at most so many bytes, in the next run where one has ended. Throws OutOfMemory.
  [[nodiscard]] std::span<std::byte> advance(Mark& mark, std::size_t bytes);
  void prepare_more();
  void add_run();

  std::size_t slab_bytes_;
  std::mutex lock_;  // of the rest
  std::vector<Pages> runs_;
  Mark cut_;                         // handed out at least once
  Mark prepared_;                    // asked for ahead, or of the first run
  std::byte* given_back_ = nullptr;  // a list through the slabs' first words
  PagePreparer preparer_;            // gone before the runs
};

// Slabs of one user, given back at its end.
class Slabs {
 public:
  explicit Slabs(SlabArena& arena) : arena_(&arena) {}
  ~Slabs();
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;
  Slabs(Slabs&& other) noexcept;
  Slabs& operator=(Slabs&& other) noexcept;

  // Throws OutOfMemory, changing nothing.
  void add();
  [[nodiscard]] std::size_t size() const { return slabs_.size(); }
  [[nodiscard]] std::byte* operator[](std::size_t i) const { return slabs_[i]; }

 private:
  SlabArena* arena_;
  std::vector<std::byte*> slabs_;
};

}  // namespace persia::table
