#include "table/rounding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/hash.hpp"

namespace persia::table {
namespace {

TEST(Rounding, BitsDependOnKeyIdCountAndElement) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t key = 0; key < 4; ++key)
    for (std::uint64_t id = 0; id < 4; ++id)
      for (std::uint64_t count = 0; count < 4; ++count)
        for (std::uint32_t element = 0; element < 16; ++element)
          seen.insert(RoundingStream(mix64(key), id, count).bits<std::uint32_t>(element));
  EXPECT_GT(seen.size(), 1022U);  // of 1024 words of 32 bits
}

TEST(Rounding, EveryBitIsFair) {
  const RoundingStream random(1, 2, 3);
  std::array<int, 32> ones{};
  for (std::uint32_t element = 0; element < 10000; ++element)
    for (std::uint32_t bit = 0; bit < 32; ++bit)
      ones[bit] += static_cast<int>(random.bits<std::uint32_t>(element) >> bit & 1U);
  for (const int count : ones) EXPECT_NEAR(count, 5000, 250);
}

// Trained half-precision rows depend on these words, computed once from the formula in Python: they must
// never change.
TEST(Rounding, WordsAreThoseOfTheFormat) {
  EXPECT_EQ(RoundingStream(1, 2, 3).bits<std::uint32_t>(0), 0x62723E72U);
  EXPECT_EQ(RoundingStream(1, 2, 3).bits<std::uint32_t>(5), 0x73F64FF7U);
}

}  // namespace
}  // namespace persia::table
