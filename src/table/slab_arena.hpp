// The memory of one table: equal slabs cut out of large runs of huge pages, for rows and index alike.
//
// Slabs are 64 KiB, or 2 MiB where rows are so long that they would waste part of a smaller one. Small tables
// stay within a first run that becomes resident page by page, on systems that give huge pages to all too;
// once that is used up it turns into huge pages, and what follows is huge pages from the first touch. So at
// most one huge page and a part of each shard's last slabs are resident without use. Runs are address space
// of at most an eighth of what is there, at most 1 GiB each. Slabs given back are used again; none goes back
// to the system before the arena does. Taking and giving back is thread safe. Must outlive its Slabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "table/pages.hpp"

namespace persia::table {

// Slabs of the first run: a table that needs no more is small.
inline constexpr std::size_t kSlabsOfSmallArena = 64;

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
  [[nodiscard]] bool small() const { return runs_.size() <= 1; }
  // Pre: not small().
  [[nodiscard]] std::int64_t resident_bytes() const;

 private:
  void add_run();

  std::size_t slab_bytes_;
  std::mutex lock_;  // of the rest
  std::vector<Pages> runs_;
  std::size_t cut_bytes_ = 0;        // of all runs, handed out at least once
  std::size_t left_bytes_ = 0;       // of the last run
  std::byte* given_back_ = nullptr;  // a list through the slabs' first words
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
