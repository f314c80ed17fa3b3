#include "base/hash.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace persia {
namespace {

// Values are part of the checkpoint format; they were computed once with the reference formulas in Python.
TEST(Hash, MixesAsSplitmix64) {
  EXPECT_EQ(mix64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix64(1), 0x910A2DEC89025CC1ULL);
}

}  // namespace
}  // namespace persia
