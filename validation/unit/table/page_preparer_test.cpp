#include "table/page_preparer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "table/pages.hpp"

namespace persia::table {
namespace {

std::size_t resident_pages(const Pages& pages) {
  std::vector<unsigned char> resident(pages.bytes() / kPageBytes);
  EXPECT_EQ(::mincore(pages.data(), pages.bytes(), resident.data()), 0);
  return static_cast<std::size_t>(
      std::ranges::count_if(resident, [](unsigned char page) { return page & 1; }));
}

bool system_prepares() {
  const Pages pages(kPageBytes);
  make_resident(pages.data(), pages.bytes());
  return resident_pages(pages) == 1;
}

void wait_until_resident(const Pages& pages) {
  for (int i = 0; i < 10000 && resident_pages(pages) < pages.bytes() / kPageBytes; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(PagePreparer, PagesAreResidentWithoutATouch) {
  if (!system_prepares()) GTEST_SKIP() << "this system does not populate memory on request";
  const Pages first(3 * kHugePageBytes), second(kHugePageBytes);
  PagePreparer preparer;
  preparer.prepare({first.data(), first.bytes()});
  preparer.prepare({second.data(), second.bytes()});
  wait_until_resident(second);
  EXPECT_EQ(resident_pages(first), first.bytes() / kPageBytes);
  EXPECT_EQ(resident_pages(second), second.bytes() / kPageBytes);
}

TEST(PagePreparer, KeepsWhatIsWrittenMeanwhile) {
  const Pages pages(4 * kHugePageBytes);
  PagePreparer preparer;
  pages.data()[0] = std::byte{9};
  preparer.prepare({pages.data(), pages.bytes()});
  for (std::size_t i = 0; i < pages.bytes(); i += 64) pages.data()[i] = static_cast<std::byte>(i / 64 + 9);
  if (system_prepares()) wait_until_resident(pages);
  for (std::size_t i = 0; i < pages.bytes(); i += 64)
    ASSERT_EQ(pages.data()[i], static_cast<std::byte>(i / 64 + 9));
}

TEST(PagePreparer, EndsWithWorkLeft) {
  const Pages pages(64 * kHugePageBytes);
  PagePreparer preparer;
  preparer.prepare({pages.data(), pages.bytes()});
}

}  // namespace
}  // namespace persia::table
