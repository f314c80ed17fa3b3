#include "table/rounding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "base/hash.hpp"

namespace persia::table {
namespace {

TEST(Rounding, BitsDependOnKeyIdCountAndElement) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t key = 0; key < 4; ++key)
    for (std::uint64_t id = 0; id < 4; ++id)
      for (std::uint64_t count = 0; count < 4; ++count)
        for (std::uint32_t element = 0; element < 16; ++element)
          seen.insert(RoundingStream(mix64(key), id, count).bits(element));
  EXPECT_GT(seen.size(), 1022U);  // of 1024 words of 32 bits
}

TEST(Rounding, EveryBitIsFair) {
  const RoundingStream random(1, 2, 3);
  std::array<int, 32> ones{};
  for (std::uint32_t element = 0; element < 10000; ++element)
    for (std::uint32_t bit = 0; bit < 32; ++bit)
      ones[bit] += static_cast<int>(random.bits(element) >> bit & 1U);
  for (const int count : ones) EXPECT_NEAR(count, 5000, 250);
}

// The upper bits of any two elements of a row go together as those of independent words would: over many
// rows, each of 8 x 8 cells gets its share.
TEST(Rounding, AnyTwoElementsOfARowAreIndependent) {
  for (const auto& [first, second] : {std::pair{0U, 1U}, {0U, 2U}, {3U, 19U}, {7U, 1031U}, {0U, 2048U}}) {
    std::array<int, 64> cells{};
    for (std::uint64_t id = 0; id < 64000; ++id) {
      const RoundingStream random(11, id, 5);
      ++cells[random.bits(first) >> 29 << 3 | random.bits(second) >> 29];
    }
    for (const int count : cells) EXPECT_NEAR(count, 1000, 160) << first << " and " << second;
  }
}

TEST(Rounding, EightWordsAtOnceAreThoseOfOne) {
  const RoundingStream random(1, 2, 3);
  Words eight = random.first_eight();
  for (std::uint32_t begin = 0; begin < 64; begin += 8, eight += random.to_next_eight())
    for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(eight[i], random.bits(begin + i));
}

// Trained half-precision rows depend on these words, computed once from the formula in Python: they must
// never change.
TEST(Rounding, WordsAreThoseOfTheFormat) {
  EXPECT_EQ(RoundingStream(1, 2, 3).bits(0), 0x88497F12U);
  EXPECT_EQ(RoundingStream(1, 2, 3).bits(5), 0x8EBD242FU);
}

}  // namespace
}  // namespace persia::table
