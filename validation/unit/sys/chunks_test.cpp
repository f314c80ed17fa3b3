#include "sys/chunks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace persia::sys {
namespace {

// Begin and length of each part.
std::vector<std::pair<std::ptrdiff_t, std::size_t>> parts_of(std::size_t count, std::size_t most) {
  std::vector<char> values(count);
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> parts;
  for_each_chunk(std::span(values), most,
                 [&](std::span<char> part) { parts.emplace_back(part.data() - values.data(), part.size()); });
  return parts;
}

TEST(Chunks, CoverABufferInOrderWithoutGaps) {
  using Parts = std::vector<std::pair<std::ptrdiff_t, std::size_t>>;
  EXPECT_EQ(parts_of(10, 4), (Parts{{0, 4}, {4, 4}, {8, 2}}));
  EXPECT_EQ(parts_of(8, 4), (Parts{{0, 4}, {4, 4}}));
  EXPECT_EQ(parts_of(3, 4), (Parts{{0, 3}}));
  EXPECT_EQ(parts_of(0, 4), Parts{});
}

// The pages of this buffer are never touched: only its length matters.
TEST(Chunks, ABufferBeyond2To31FloatsMakesCallsThatAnIntCounts) {
  constexpr std::size_t kCount = (std::size_t{1} << 31) + 7;
  const auto values = std::make_unique_for_overwrite<float[]>(kCount);
  std::size_t covered = 0;
  for_each_chunk(std::span(values.get(), kCount), [&](std::span<float> part) {
    EXPECT_LE(part.size_bytes(), std::size_t{1} << 30);
    covered += part.size();
  });
  EXPECT_EQ(covered, kCount);
}

}  // namespace
}  // namespace persia::sys
