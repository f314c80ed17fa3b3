#include "base/memory_size.hpp"

#include <gtest/gtest.h>

namespace persia {
namespace {

TEST(MemorySize, IsToldByTheMachine) {
  EXPECT_GT(physical_memory_bytes(), 1 << 20);
}

TEST(MemorySize, IsWrittenInTheLargestUnitThatFits) {
  EXPECT_EQ(memory_text(0), "0 bytes");
  EXPECT_EQ(memory_text(1023), "1023 bytes");
  EXPECT_EQ(memory_text(65536), "64.0 KiB");
  EXPECT_EQ(memory_text(1.5 * (1LL << 40)), "1.5 TiB");
  EXPECT_EQ(memory_text(0x1p72), "4096.0 EiB");
}

}  // namespace
}  // namespace persia
