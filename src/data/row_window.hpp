// Rows waiting for their turn: the stream of rows, in the order of an epoch.
//
// Reads whole windows and gives rows out in permuted order. Memory: the texts of the window (with a batch
// that spans windows: of these). Cost: every byte is scanned and copied once by every trainer, however few of
// the rows it needs; parsing, which costs about ten times as much, is done for its own rows only. Thread
// safety: one thread at a time. Used by file_source.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "data/row_stream.hpp"
#include "data/text_blocks.hpp"

namespace persia::data {

// How the rows of an epoch are ordered.
struct RowOrder {
  bool shuffle = false;
  std::uint64_t seed = 1;
  std::int64_t epoch = 0;
  std::int64_t window_rows = 1;
};

class OrderedRows {
 public:
  // Starts at place `first` of the epoch's order; what lies before is scanned without being kept.
  OrderedRows(RowStream& rows, RowOrder order, std::int64_t first);

  // Reads until `wanted` rows are at hand or the data end. Returns how many of the wanted are there.
  std::int64_t prepare(std::int64_t wanted);
  // The row at place `ahead` from now on. Pre: prepared. Valid until drop().
  [[nodiscard]] Row at(std::int64_t ahead) const;
  // Starts to fetch the row at place `ahead` into the cache, and what is known about the one at place
  // `far_ahead`: neighbours in a permuted order lie far apart in memory. Pre: as at(), both.
  void prefetch(std::int64_t ahead, std::int64_t far_ahead) const;
  // Forgets the next `count` rows. Pre: prepared.
  void drop(std::int64_t count);

 private:
  struct Entry {
    const char* text = nullptr;
    std::int64_t line = 0;
    std::uint32_t size = 0;
    std::int32_t file = 0;
  };
  struct Window {
    TextBlocks texts;
    std::vector<Entry> entries;
    std::vector<std::uint32_t> order;  // empty: as they come
    std::int64_t first_number = 0;
    std::int64_t given = 0;
    [[nodiscard]] std::int64_t left() const { return static_cast<std::int64_t>(entries.size()) - given; }
  };
  // A window and a place in its entries.
  struct Spot {
    const Window* window = nullptr;
    std::size_t place = 0;
  };

  [[nodiscard]] Spot spot(std::int64_t ahead) const;
  bool load_window();
  void skip_windows(std::int64_t first);

  RowStream& rows_;
  RowOrder order_;
  std::deque<Window> windows_;
  Window spare_;  // keeps the memory of a window that was given out
  std::int64_t windows_read_ = 0;
  bool ended_ = false;
};

}  // namespace persia::data
