#include "table/row_store.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace persia::table {
namespace {

TEST(RowStore, RowsNeverMoveAndNeverOverlap) {
  for (const std::int32_t row_bytes : {12, 44, 76, 1036, 49164}) {
    SlabArena arena(row_bytes);
    RowStore store(arena, row_bytes);
    std::vector<std::byte*> places;
    const std::uint32_t num_rows =
        static_cast<std::uint32_t>((std::size_t{40} << 20) / static_cast<unsigned>(row_bytes));
    for (std::uint32_t i = 0; i < num_rows; ++i) {
      ASSERT_EQ(store.append(), RowSlot(i));
      places.push_back(store.row(RowSlot(i)));
      std::memset(places.back(), static_cast<int>(i % 251), static_cast<std::size_t>(row_bytes));
    }
    for (std::uint32_t i = 0; i < num_rows; ++i) {
      ASSERT_EQ(store.row(RowSlot(i)), places[i]);
      ASSERT_EQ(places[i][0], static_cast<std::byte>(i % 251));
      ASSERT_EQ(places[i][row_bytes - 1], static_cast<std::byte>(i % 251));
    }
  }
}

TEST(RowStore, AnEmptyOneTakesNothingAndASmallOneAPage) {
  SlabArena arena(44);
  RowStore store(arena, 44);
  EXPECT_EQ(store.touched_bytes(), 0);
  (void)store.append();
  EXPECT_EQ(store.touched_bytes(), 4096);
}

}  // namespace
}  // namespace persia::table
