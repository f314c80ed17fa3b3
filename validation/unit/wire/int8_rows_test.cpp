#include "wire/int8_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "wire/int8_rows_portable.hpp"

namespace persia::wire {
namespace {

using Limits = std::numeric_limits<float>;

struct Rows {
  std::size_t dim;
  std::vector<float> values;
};

// So many rows of random values, the largest of which may be `scale`.
Rows random_rows(std::size_t num_rows, std::size_t dim, double scale) {
  Rows rows{dim, {}};
  for (std::uint64_t i = 0; i < num_rows * dim; ++i)
    rows.values.push_back(static_cast<float>(scale * (2 * random_uniform(dim, 2, i) - 1)));
  return rows;
}

std::vector<std::byte> encoded(const Rows& rows) {
  std::vector<std::byte> bytes(rows.values.size() / rows.dim * (kScaleBytes + rows.dim));
  to_int8_rows(rows.values, rows.dim, bytes.data());
  return bytes;
}

std::vector<float> there_and_back(const Rows& rows) {
  std::vector<float> back(rows.values.size(), -7);
  from_int8_rows(encoded(rows).data(), rows.dim, back);
  return back;
}

// Half of a 127th of the row's largest value, which the 8 places of the scale may raise by a 128th, and what
// fp32 itself rounds. Below 2^-126 * 127 the scale is no smaller.
TEST(Int8Rows, AreOffByHalfAQuantumAtMostWhateverTheScale) {
  for (const double scale : {1e-38, 1e-30, 1e-9, 1e-4, 1.0, 1e6, 3.4e38})
    for (const std::size_t dim : {1U, 7U, 8U, 16U, 21U, 64U}) {
      const Rows rows = random_rows(50, dim, scale);
      const std::vector<float> back = there_and_back(rows);
      for (std::size_t begin = 0; begin < rows.values.size(); begin += dim) {
        double largest = 0;
        for (std::size_t i = 0; i < dim; ++i)
          largest = std::max(largest, std::abs(double{rows.values[begin + i]}));
        const double quantum = std::max(largest / 127 * (1 + 0x1p-7), 0x1p-126);
        for (std::size_t i = 0; i < dim; ++i)
          ASSERT_NEAR(back[begin + i], rows.values[begin + i], quantum / 2 * (1 + 1e-4))
              << scale << " " << dim;
      }
    }
}

TEST(Int8Rows, ASmallRowKeepsItsValuesBesideALargeOne) {
  const std::vector<float> back = there_and_back({2, {1e9F, -1e9F, 1e-9F, -5e-10F}});
  EXPECT_NEAR(back[2], 1e-9F, 1e-11);
  EXPECT_NEAR(back[3], -5e-10F, 1e-11);
}

TEST(Int8Rows, ARowThatIsNotFiniteIsNoNumberAndItsNeighboursAre) {
  for (const float bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN()})
    for (const std::size_t dim : {3U, 8U, 19U})
      for (std::size_t place = 0; place < dim; ++place) {
        Rows rows = random_rows(3, dim, 1.0);
        rows.values[dim + place] = bad;
        const std::vector<float> back = there_and_back(rows);
        for (std::size_t i = 0; i < back.size(); ++i)
          ASSERT_EQ(std::isnan(back[i]), i / dim == 1) << bad << " at " << place << " of " << dim;
      }
}

TEST(Int8Rows, TheLargestAndTheSmallestNumbersStayFinite) {
  const std::vector<float> back =
      there_and_back({2, {Limits::max(), -Limits::max(), Limits::denorm_min(), -Limits::min()}});
  EXPECT_NEAR(back[0] / Limits::max(), 1.0, 1.0 / 254);
  EXPECT_NEAR(back[1] / Limits::max(), -1.0, 1.0 / 254);
  EXPECT_EQ(back[2], 0.0F);
  EXPECT_EQ(back[3], -Limits::min());
}

// What this processor does by eight is what it does one by one: bytes and values, ties and remainders too.
TEST(Int8Rows, HaveTheSameBitsWithAndWithoutVectors) {
  std::vector<Rows> cases;
  for (const std::size_t dim : {1U, 5U, 8U, 13U, 16U, 24U, 100U})
    for (const double scale : {1e-40, 1e-38, 1e-7, 1.0, 3.4e38}) cases.push_back(random_rows(40, dim, scale));
  Rows ties{16, {}};
  for (int i = 0; i < 16; ++i) ties.values.push_back(i == 0 ? 127.0F : 0.5F + static_cast<float>(7 * i - 60));
  cases.push_back(ties);
  Rows specials = random_rows(4, 16, 1.0);
  specials.values[3] = -Limits::quiet_NaN();
  specials.values[20] = Limits::infinity();
  specials.values[40] = -0.0F;
  cases.push_back(specials);
  for (const Rows& rows : cases) {
    const std::vector<std::byte> bytes = encoded(rows);
    std::vector<std::byte> portable(bytes.size());
    to_int8_rows_portably(rows.values, rows.dim, portable.data());
    ASSERT_EQ(bytes, portable) << rows.dim;
    std::vector<float> back(rows.values.size()), back_portably(rows.values.size());
    from_int8_rows(bytes.data(), rows.dim, back);
    from_int8_rows_portably(bytes.data(), rows.dim, back_portably);
    ASSERT_EQ(std::memcmp(back.data(), back_portably.data(), back.size() * sizeof(float)), 0) << rows.dim;
  }
}

// Of any bytes: no code or scale is out of bounds.
TEST(Int8Rows, EveryByteIsReadTheSameWithAndWithoutVectors) {
  constexpr std::size_t kDim = 11, kRows = 4096;
  std::vector<std::byte> bytes(kRows * (kScaleBytes + kDim));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(256 * random_uniform(4, 2, i));
  std::vector<float> back(kRows * kDim), back_portably(kRows * kDim);
  from_int8_rows(bytes.data(), kDim, back);
  from_int8_rows_portably(bytes.data(), kDim, back_portably);
  for (std::size_t i = 0; i < back.size(); ++i)
    ASSERT_TRUE(back[i] == back_portably[i] || (std::isnan(back[i]) && std::isnan(back_portably[i]))) << i;
}

}  // namespace
}  // namespace persia::wire
