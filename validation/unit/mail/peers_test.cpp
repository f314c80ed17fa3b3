#include "mail/peers.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::mail {
namespace {

const std::vector<int> kOwners = {4, 1};
const std::vector<int> kClients = {0, 2, 5};

TEST(Peers, OfAnOwnerAreTheClients) {
  const Peers peers = find_peers(1, 6, kOwners, kClients);
  EXPECT_EQ(peers.side, Side::owner);
  EXPECT_EQ(peers.ranks, kClients);
  EXPECT_EQ(peers.my_index, 1);
  EXPECT_EQ(peers.peers_of_a_peer, 2);
  EXPECT_EQ(peers.name_in(2), "requests from rank 5");
  EXPECT_EQ(peers.name_out(2), "replies to rank 5");
}

TEST(Peers, OfAClientAreTheOwners) {
  const Peers peers = find_peers(5, 6, kOwners, kClients);
  EXPECT_EQ(peers.side, Side::client);
  EXPECT_EQ(peers.ranks, kOwners);
  EXPECT_EQ(peers.my_index, 2);
  EXPECT_EQ(peers.peers_of_a_peer, 3);
  EXPECT_EQ(peers.name_in(0), "replies from rank 4");
  EXPECT_EQ(peers.name_out(0), "requests to rank 4");
}

TEST(Peers, ARankInNeitherListHasNone) {
  const Peers peers = find_peers(3, 6, kOwners, kClients);
  EXPECT_EQ(peers.side, Side::neither);
  EXPECT_TRUE(peers.ranks.empty());
}

TEST(Peers, RefusesListsThatOverlapOrLeaveTheWorld) {
  EXPECT_THROW((void)find_peers(0, 2, {0}, {0, 1}), Error);
  EXPECT_THROW((void)find_peers(0, 2, {0}, {1, 1}), Error);
  EXPECT_THROW((void)find_peers(0, 2, {0}, {2}), Error);
}

}  // namespace
}  // namespace persia::mail
