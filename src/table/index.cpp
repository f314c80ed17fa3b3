#include "table/index.hpp"

#include "base/cast.hpp"

namespace persia::table {

namespace {

// Ten of twelve entries: 6.4 bytes a row when full, and 94 of 100 rows at home.
constexpr std::int64_t kRowsPerChunk = 10;
constexpr std::int64_t kChunksPerPage = kPageBytes / sizeof(Chunk);

std::uint32_t chunks_for(std::int64_t rows) {
  const std::int64_t rows_per_page = kRowsPerChunk * kChunksPerPage;
  const std::int64_t num_pages = rows <= 0 ? 1 : (rows + rows_per_page - 1) / rows_per_page;
  return checked_cast<std::uint32_t>(num_pages * kChunksPerPage);
}

}  // namespace

// Zeroed pages are empty chunks.
Index::Index(std::int64_t rows)
    : num_chunks_(chunks_for(rows)),
      capacity_rows_(num_chunks_ * kRowsPerChunk),
      pages_(num_chunks_ * sizeof(Chunk)),
      chunks_(reinterpret_cast<Chunk*>(pages_.data())) {
  if (pages_.bytes() >= kHugePageBytes) prefer_huge_pages(pages_.data(), pages_.bytes());
}

void Index::insert(std::uint64_t place, RowSlot slot) {
  std::uint32_t at = home(place);
  for (;; at = next(at)) {
    Chunk& chunk = chunks()[at];
    const Matches free(chunk, 0);
    if (!free.empty()) {
      chunk.tags[free.first()] = tag_of(place);
      chunk.slots[free.first()] = slot.value();
      break;
    }
    if (chunk.passed < 255) ++chunk.passed;
  }
  ++rows_;
}

}  // namespace persia::table
