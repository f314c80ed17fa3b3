#include "mail/spare_bodies.hpp"

#include <gtest/gtest.h>

namespace persia::mail {
namespace {

using Body = std::vector<std::byte>;

TEST(SpareBodies, ABodyThatIsLargeEnoughIsUsedAgain) {
  SpareBodies spare;
  Body body(10000, std::byte{7});
  const std::byte* const memory = body.data();
  spare.give(std::move(body));
  EXPECT_NE(spare.take(10001).data(), memory);
  const Body again = spare.take(5000);
  EXPECT_EQ(again.data(), memory);
  EXPECT_EQ(again.size(), 5000U);
  EXPECT_NE(spare.take(5000).data(), memory);
}

TEST(SpareBodies, AFewAreKept) {
  SpareBodies spare;
  for (int i = 0; i < 100; ++i) spare.give(Body(5000, std::byte{7}));
  int used_again = 0;
  for (int i = 0; i < 100; ++i) used_again += spare.take(5000)[0] == std::byte{7} ? 1 : 0;
  EXPECT_EQ(used_again, 16);
  EXPECT_TRUE(spare.take(0).empty());
}

}  // namespace
}  // namespace persia::mail
