#include "mail/window_layout.hpp"

#include <gtest/gtest.h>

namespace persia::mail {
namespace {

// The places of version 1: both ends of a ring compute them on their own.
TEST(WindowLayout, HasThePlacesOfVersion1) {
  constexpr WindowLayout layout{3, 256};
  EXPECT_EQ(layout.head(0), 0);
  EXPECT_EQ(layout.head(2), 16);
  EXPECT_EQ(layout.credit(0), 64);
  EXPECT_EQ(layout.credit(2), 80);
  EXPECT_EQ(layout.ring(0), 128);
  EXPECT_EQ(layout.ring(2), 640);
  EXPECT_EQ(layout.total_bytes(), 896);
}

TEST(WindowLayout, HoldsHundredsOfPeersBeyond4GiB) {
  constexpr WindowLayout layout{5000, 1 << 20};
  EXPECT_EQ(layout.credit(0), 40000);
  EXPECT_EQ(layout.ring(0), 80000);
  EXPECT_EQ(layout.total_bytes(), 80000 + 5000LL * (1 << 20));
}

TEST(WindowLayout, IsEmptyWithoutPeers) {
  EXPECT_EQ((WindowLayout{0, 4096}.total_bytes()), 0);
}

}  // namespace
}  // namespace persia::mail
