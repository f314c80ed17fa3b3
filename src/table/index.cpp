#include "table/index.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::table {

namespace {

// Ten of twelve entries: 6.4 bytes a row when full, and 94 of 100 rows at home.
constexpr std::int64_t kRowsPerChunk = 10;
constexpr std::int64_t kChunksPerPage = kPageBytes / sizeof(Chunk);

}  // namespace

Index::Size Index::size_for(std::int64_t rows) {
  const std::int64_t rows_per_page = kRowsPerChunk * kChunksPerPage;
  const std::int64_t num_pages = rows <= 0 ? 1 : (rows + rows_per_page - 1) / rows_per_page;
  return {checked_cast<std::uint32_t>(num_pages * kChunksPerPage), num_pages * rows_per_page};
}

Index::Index(SlabArena& arena, std::int64_t rows)
    : num_chunks_(size_for(rows).num_chunks),
      capacity_rows_(size_for(rows).capacity_rows),
      slab_shift_(static_cast<std::uint32_t>(std::countr_zero(arena.slab_bytes() / sizeof(Chunk)))),
      slab_mask_((1U << slab_shift_) - 1),
      slabs_(arena) {
  while (slabs_.size() << slab_shift_ < num_chunks_) {
    const std::size_t begin = slabs_.size() << slab_shift_;
    slabs_.add();
    std::memset(slabs_[slabs_.size() - 1], 0,
                std::min(arena.slab_bytes(), (num_chunks_ - begin) * sizeof(Chunk)));
  }
}

std::int64_t Index::chunks_passed() const {
  std::int64_t sum = 0;
  for (std::uint32_t at = 0; at < num_chunks_; ++at) sum += chunk(at).passed;
  return sum;
}

void Index::insert(std::uint64_t place, RowSlot slot) {
  std::uint32_t at = home(place);
  for (;; at = next(at)) {
    Chunk& here = chunk(at);
    const Matches free(here, 0);
    if (!free.empty()) {
      here.tags[free.first()] = tag_of(place);
      here.slots[free.first()] = slot.value();
      break;
    }
    if (here.passed < 255) ++here.passed;
  }
  ++rows_;
}

void Index::erase(std::uint64_t place, RowSlot slot) {
  for (std::uint32_t at = home(place);; at = next(at)) {
    Chunk& here = chunk(at);
    for (Matches matches(here, tag_of(place)); !matches.empty(); matches.remove_first()) {
      if (here.slots[matches.first()] != slot.value()) continue;
      here.tags[matches.first()] = 0;
      --rows_;
      return;
    }
    expects(here.passed > 0, "an entry that was inserted");
    if (here.passed < 255) --here.passed;
  }
}

}  // namespace persia::table
