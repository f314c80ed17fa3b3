#include "table/pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace persia::table {
namespace {

TEST(Pages, AreZeroedWholePages) {
  const Pages pages(5000);
  EXPECT_EQ(pages.bytes(), 8192U);
  for (std::size_t i = 0; i < pages.bytes(); ++i) ASSERT_EQ(pages.data()[i], std::byte{0});
}

TEST(Pages, LargeRunsStartOnAHugePage) {
  const Pages pages(3 * kHugePageBytes + 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % kHugePageBytes, 0U);
}

TEST(Pages, MoveLeavesNothingBehind) {
  Pages from(4096);
  std::byte* const data = from.data();
  const Pages to(std::move(from));
  EXPECT_EQ(to.data(), data);
  EXPECT_EQ(from.data(), nullptr);  // NOLINT: what a moved-from owner promises
}

TEST(Pages, GatheringKeepsTheContents) {
  const Pages pages(kHugePageBytes);
  for (std::size_t i = 0; i < pages.bytes(); ++i) pages.data()[i] = static_cast<std::byte>(i * 7);
  gather_into_huge_pages(pages.data(), pages.bytes());
  for (std::size_t i = 0; i < pages.bytes(); ++i) ASSERT_EQ(pages.data()[i], static_cast<std::byte>(i * 7));
}

TEST(Pages, ImpossibleSizesAreOutOfMemoryWithTheBytesAsked) {
  try {
    const Pages pages(std::size_t{1} << 60);
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), std::size_t{1} << 60);
  }
}

}  // namespace
}  // namespace persia::table
