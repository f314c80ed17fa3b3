#include "wire/values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "wire/halves.hpp"
#include "wire/halves_portable.hpp"

namespace persia::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// As one row unless told otherwise.
std::vector<std::byte> encoded(ValueFormat format, const std::vector<float>& values,
                               std::size_t num_rows = 1) {
  const Block block{num_rows, values.size() / num_rows};
  std::vector<std::byte> bytes(encoded_bytes(format, block));
  encode_values(format, block.dim, values, bytes.data());
  return bytes;
}

std::vector<float> there_and_back(ValueFormat format, const std::vector<float>& values,
                                  std::size_t num_rows = 1) {
  std::vector<float> back(values.size(), -7);
  decode_values(format, values.size() / num_rows, encoded(format, values, num_rows).data(), back);
  return back;
}

std::vector<int> bytes_of(ValueFormat format, const std::vector<float>& values, std::size_t num_rows = 1) {
  std::vector<int> numbers;
  for (const std::byte byte : encoded(format, values, num_rows)) numbers.push_back(static_cast<int>(byte));
  return numbers;
}

TEST(Values, HaveTheBytesOfVersion2) {
  EXPECT_THAT(bytes_of(ValueFormat::fp32, {1.0F}), ElementsAre(0, 0, 0x80, 0x3F));
  // 2^14 in fp32, then 2^14 and -2^13 in fp16.
  EXPECT_THAT(bytes_of(ValueFormat::fp16, {1.0F, -0.5F}), ElementsAre(0, 0, 0x80, 0x46, 0, 0x74, 0, 0xF0));
  EXPECT_THAT(bytes_of(ValueFormat::bf16, {1.0F, -0.5F}), ElementsAre(0x80, 0x3F, 0, 0xBF));
  // Two rows. 127 / 127 is 1; the 127th of 1, 0x1.020408p-7, is rounded up to 0x1.04p-7 = 0x3C02.
  EXPECT_THAT(bytes_of(ValueFormat::int8, {127.0F, -1.0F, 2.5F, 0.25F, -1.0F, 0.0F}, 2),
              ElementsAre(0x80, 0x3F, 127, 255, 2, 0x02, 0x3C, 32, 256 - 126, 0));
  for (std::uint16_t format = 0; format < kNumValueFormats; ++format)
    EXPECT_TRUE(bytes_of(static_cast<ValueFormat>(format), {}).empty());
}

TEST(Values, Fp32ComesBackBitForBit) {
  const std::vector<float> values{0.1F, -3e38F, 1e-45F, kInfinity};
  EXPECT_THAT(there_and_back(ValueFormat::fp32, values), ElementsAreArray(values));
}

// To half a unit in the last of 11 places, or of the 24 places below the largest value.
TEST(Values, Fp16KeepsElevenPlacesWhateverTheScale) {
  for (const double scale : {1e-36, 1e-9, 1e-4, 1.0, 1e6, 1e37}) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < 1003; ++i)
      values.push_back(
          static_cast<float>(scale * (2 * random_uniform(1, 2, i) - 1) * random_uniform(1, 3, i)));
    const std::vector<float> back = there_and_back(ValueFormat::fp16, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(back[i], values[i], std::max(std::abs(values[i]) * 0x1p-11, scale * 0x1p-38)) << scale;
  }
}

TEST(Values, Bf16KeepsEightPlaces) {
  for (const float value : {1.0F, 1.003F, -3e-30F, 2e38F}) {
    const float back = there_and_back(ValueFormat::bf16, {value})[0];
    EXPECT_NEAR(back, value, std::abs(value) * 0x1p-8);
  }
}

TEST(Values, WhatIsNotFiniteArrivesAsSuch) {
  for (const ValueFormat format : {ValueFormat::fp16, ValueFormat::bf16}) {
    const std::vector<float> back =
        there_and_back(format, {1.0F, kInfinity, -kInfinity, std::nanf(""), 0.25F});
    EXPECT_EQ(back[0], 1.0F);
    EXPECT_EQ(back[1], kInfinity);
    EXPECT_EQ(back[2], -kInfinity);
    EXPECT_TRUE(std::isnan(back[3]));
    EXPECT_EQ(back[4], 0.25F);
  }
}

TEST(Values, ZerosStayZeros) {
  for (const ValueFormat format : {ValueFormat::fp16, ValueFormat::bf16, ValueFormat::int8})
    EXPECT_THAT(there_and_back(format, {0.0F, 0.0F}), ElementsAre(0.0F, 0.0F));
  EXPECT_EQ(there_and_back(ValueFormat::int8, {3.0F, 0.0F})[1], 0.0F);
}

// What this processor does by itself is what the bits say, for every half and around every half.
TEST(Halves, AreThoseOfTheDefinition) {
  std::vector<std::uint16_t> halves(65536);
  for (std::uint32_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> values(halves.size()), by_bits(halves.size());
  from_halves(reinterpret_cast<const std::byte*>(halves.data()), 2, values);
  from_halves_portably(reinterpret_cast<const std::byte*>(halves.data()), 2, by_bits);
  EXPECT_EQ(std::memcmp(values.data(), by_bits.data(), values.size() * sizeof(float)), 0);
  EXPECT_EQ(values[0x3C00], 2.0F);
  EXPECT_EQ(values[0x8001], -0x1p-23F);
  for (const float factor : {0.5F, 0.50001F, 0.500122F, 0.49999F}) {
    std::vector<std::uint16_t> one(values.size()), other(values.size());
    to_halves(values, factor, reinterpret_cast<std::byte*>(one.data()));
    to_halves_portably(values, factor, reinterpret_cast<std::byte*>(other.data()));
    ASSERT_THAT(one, ElementsAreArray(other)) << factor;
  }
}

}  // namespace
}  // namespace persia::wire
