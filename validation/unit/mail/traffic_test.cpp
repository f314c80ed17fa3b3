#include "mail/traffic.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace persia::mail {
namespace {

Traffic two_clients() {
  return {Peers{Side::owner, {1, 2}, {1, 2}, 0, 1}, true};
}

TEST(Traffic, KeepsMessagesApartByPeer) {
  Traffic traffic = two_clients();
  Outbox from_second(true);
  from_second.push({PeerIndex(0), wire::MessageKind::cancel, Token(4), {}});
  const OutgoingRecord record = from_second.take(0);
  traffic.deliver(1, record.header, record.piece, 0);
  ASSERT_EQ(traffic.inbox().size(), 1U);
  EXPECT_EQ(traffic.inbox().front().peer, PeerIndex(1));
  EXPECT_EQ(traffic.counts().messages_received, 1);
}

TEST(Traffic, WaitsSinceTheFirstSweepThatFoundAPeerFull) {
  Traffic traffic = two_clients();
  EXPECT_EQ(traffic.longest_wait_seconds(), 0);
  traffic.note_full(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  traffic.note_full(0);
  traffic.note_full(1);
  EXPECT_GE(traffic.longest_wait_seconds(), 0.02);
  traffic.note_room(0);
  traffic.note_room(1);
  EXPECT_EQ(traffic.longest_wait_seconds(), 0);
  EXPECT_EQ(traffic.counts().full_ring_waits, 3);
}

TEST(Traffic, IsFinishedWhenEveryPeerIs) {
  Traffic traffic = two_clients();
  for (std::size_t peer = 0; peer < 2; ++peer) {
    EXPECT_FALSE(traffic.all_finished());
    Outbox out(true);
    out.push_final();
    const OutgoingRecord record = out.take(0);
    traffic.deliver(peer, record.header, record.piece, 0);
  }
  EXPECT_TRUE(traffic.all_finished());
  EXPECT_TRUE(traffic.inbox().empty());
}

}  // namespace
}  // namespace persia::mail
