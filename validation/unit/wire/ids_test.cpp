#include "wire/ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.hpp"

namespace persia::wire {
namespace {

using ::testing::ElementsAreArray;

constexpr std::uint64_t kLast = ~std::uint64_t{0};

std::vector<FeatureId> ids_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<FeatureId> ids;
  for (const std::uint64_t number : numbers) ids.emplace_back(number);
  return ids;
}

std::vector<int> bytes_of(const std::vector<FeatureId>& ids) {
  std::vector<std::byte> body;
  append_ids(ids, body);
  std::vector<int> numbers;
  for (const std::byte byte : body) numbers.push_back(static_cast<int>(byte));
  return numbers;
}

void expect_round_trip(const std::vector<FeatureId>& ids) {
  std::vector<std::byte> body(8);
  const std::uint32_t bytes = append_ids(ids, body);
  EXPECT_EQ(body.size(), 8 + (bytes + 7) / 8 * 8);
  if (bytes == 8 * ids.size()) return;
  EXPECT_LE(2 * bytes, 8 * ids.size());
  std::vector<FeatureId> read(ids.size());
  ASSERT_TRUE(unpack_ids(std::span(body).subspan(8, bytes), read));
  EXPECT_EQ(read, ids);
}

TEST(Ids, PackedOnesHaveTheBytesOfVersion2) {
  EXPECT_THAT(bytes_of(ids_of({5, 6, 133, 134 + 127})), ElementsAreArray({5, 1, 127, 0x80, 1, 0, 0, 0}));
  EXPECT_THAT(bytes_of(ids_of({0, 300})), ElementsAreArray({0, 0xAC, 2, 0, 0, 0, 0, 0}));
}

TEST(Ids, FarApartTheyStandAsTheyAre) {
  EXPECT_THAT(bytes_of(ids_of({0x0807060504030201, kLast})),
              ElementsAreArray({1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 255, 255, 255, 255}));
}

TEST(Ids, ComeBackWhateverTheyAre) {
  expect_round_trip({});
  expect_round_trip(ids_of({0}));
  expect_round_trip(ids_of({kLast}));
  for (const std::uint64_t spread : {1ULL, 3ULL, 100ULL, 128ULL, 16384ULL, 1ULL << 28, 1ULL << 40}) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0, at = 0; i < 1000; ++i) numbers.push_back(at += 1 + mix64(i) % spread);
    expect_round_trip(ids_of(numbers));
    numbers.back() = kLast;
    expect_round_trip(ids_of(numbers));
  }
}

TEST(Ids, WhatIsNotThatManyAscendingIdsIsRefused) {
  const auto read = [](const std::vector<int>& numbers, std::size_t count) {
    std::vector<std::byte> packed;
    for (const int number : numbers) packed.push_back(static_cast<std::byte>(number));
    std::vector<FeatureId> ids(count);
    return unpack_ids(packed, ids);
  };
  EXPECT_TRUE(read({5, 1}, 2));
  EXPECT_FALSE(read({5, 1}, 1));     // one more
  EXPECT_FALSE(read({5, 1}, 3));     // one less
  EXPECT_FALSE(read({5, 0}, 2));     // twice the same
  EXPECT_FALSE(read({5, 0x80}, 2));  // cut off
  EXPECT_TRUE(read({255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, 1));
  EXPECT_FALSE(read({255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, 1));     // 65 bits
  EXPECT_FALSE(read({255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1}, 2));  // beyond 64 bits
}

}  // namespace
}  // namespace persia::wire
