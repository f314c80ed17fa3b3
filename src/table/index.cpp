#include "table/index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::table {

namespace {

// Ten of twelve entries: 6.4 bytes a row when full, and 94 of 100 rows at home.
constexpr std::int64_t kRowsPerChunk = 10;
constexpr double kGrowth = 1.5;  // of large ones
constexpr std::uint32_t kChunksPerPage = kPageBytes / sizeof(Chunk);

}  // namespace

// Large ones have, in rows, the powers of kGrowth times a first size of the shard's own; rounding to whole
// pages does not add up.
std::int64_t grown_capacity(std::int64_t rows, std::uint32_t shard) {
  if (rows < kSmallIndexRows) return rows + rows / 4;
  const double first = static_cast<double>(kSmallIndexRows) * std::pow(kGrowth, (shard + 1.0) / kInnerShards);
  const double growths = std::floor(std::log(static_cast<double>(rows) / first) / std::log(kGrowth) + 1e-9);
  return static_cast<std::int64_t>(std::ceil(first * std::pow(kGrowth, growths + 1)));
}

Index::Size Index::size_for(std::int64_t rows) {
  const std::int64_t rows_per_page = kRowsPerChunk * kChunksPerPage;
  const std::int64_t num_pages = rows <= 0 ? 1 : (rows + rows_per_page - 1) / rows_per_page;
  return {checked_cast<std::uint32_t>(num_pages * kChunksPerPage), num_pages * rows_per_page};
}

Index::Index(SlabArena& arena, std::int64_t rows) : Index(arena, rows, Unprepared()) {
  while (!ready()) prepare();
}

Index::Index(SlabArena& arena, std::int64_t rows, Unprepared)
    : num_chunks_(size_for(rows).num_chunks),
      capacity_rows_(size_for(rows).capacity_rows),
      slab_shift_(static_cast<std::uint32_t>(std::countr_zero(arena.slab_bytes() / sizeof(Chunk)))),
      slab_mask_((1U << slab_shift_) - 1),
      slabs_(arena) {
  // All at once, so that they lie side by side as far as the arena has them so.
  while (slabs_.size() << slab_shift_ < num_chunks_) slabs_.add();
}

void Index::prepare() {
  std::fill_n(&chunk(prepared_chunks_), kChunksPerPage, Chunk{});
  prepared_chunks_ += kChunksPerPage;
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
