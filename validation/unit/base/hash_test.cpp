#include "base/hash.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string>

namespace persia {
namespace {

// Values are part of the checkpoint format; they were computed once with the reference formulas in Python.
TEST(Hash, MixesAsSplitmix64) {
  EXPECT_EQ(mix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix64(1), 0x910A2DEC89025CC1ULL);
}

TEST(Hash, PlacesIdsByIdAndTable) {
  EXPECT_EQ(place_hash(FeatureId(0), 0), mix64(0));
  EXPECT_EQ(place_hash(FeatureId(5), 4), mix64(1));
  EXPECT_NE(place_hash(FeatureId(5), 0), place_hash(FeatureId(5), 7));
}

TEST(Hash, HashesTextsAsXxh3) {
  EXPECT_EQ(hash_bytes("", 0), 0x2D06800538D394C2ULL);
  EXPECT_EQ(hash_bytes("abc", 0), 0x78AF5F94892F3950ULL);
}

TEST(Hash, KeepsTextsApartThatDifferInCaseLeadingZerosOrTable) {
  const std::set<std::uint64_t> ids{hash_bytes("A1", 0), hash_bytes("a1", 0), hash_bytes("0a1", 0),
                                    hash_bytes("", 0), hash_bytes("a1", 1)};
  EXPECT_EQ(ids.size(), 5U);
}

TEST(Hash, GivesTwoHundredThousandTextsDistinctIds) {
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 200000; ++i) ids.insert(hash_bytes(fmt::format("u{}", i), 0));
  EXPECT_EQ(ids.size(), 200000U);
}

TEST(Hash, SpreadsConsecutiveIdsEvenlyOverTopBits) {
  std::array<int, 16> counts{};
  for (std::uint64_t i = 0; i < 160000; ++i) ++counts[place_hash(FeatureId(i), 99) >> 60];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // 5 deviations
}

}  // namespace
}  // namespace persia
