// What a post does when the other end is damaged, silent or slow. World: 2 ranks; rank 0 owns, rank 1 is
// client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "mail/peers.hpp"
#include "mail/rma_carrier.hpp"
#include "mail/two_sided_carrier.hpp"
#include "sys/messages.hpp"

namespace persia::mail {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kRingBytes = 1024;

// A good record of 16 bytes, as the client's first message.
std::vector<std::byte> good_record() {
  Outbox out(true);
  out.push({PeerIndex(0), wire::MessageKind::lookup, Token(1), std::vector<std::byte>(16, std::byte{1})});
  const OutgoingRecord record = out.take(16);
  std::vector<std::byte> bytes(sizeof record.header + 16);
  std::memcpy(bytes.data(), &record.header, sizeof record.header);
  std::memcpy(bytes.data() + sizeof record.header, record.piece.data(), 16);
  return bytes;
}

struct Damage {
  const char* what;
  std::size_t byte;
  const char* message;
};
constexpr Damage kDamages[] = {
    {"Magic", 0, "has magic 0x5053 where 0x5052 is expected"},
    {"Version", 2, "has version 0x2 where 0x3 is expected"},
    {"Sequence", 8, "has sequence 0x1 where 0x0 is expected"},
    {"Token", 16, "has checksum"},
    {"Body", 50, "has checksum"},
};

class DamageTest : public testing::TestWithParam<Damage> {
 protected:
  sys::Communicator world = sys::Communicator::world();
  Peers peers = find_peers(world.rank(), 2, {0}, {1});

  [[nodiscard]] std::vector<std::byte> damaged_record() const {
    std::vector<std::byte> bytes = good_record();
    bytes[GetParam().byte] ^= std::byte{1};
    return bytes;
  }

  void expect_refusal(const std::string& text) const {
    if (world.rank() != 0) return;
    EXPECT_THAT(text, HasSubstr("requests from rank 1: the record at offset 0 "));
    EXPECT_THAT(text, HasSubstr(GetParam().message));
  }

  // Sweeps until a record comes; the refusal, or "" if it was believed.
  std::string receive(Carrier& carrier) {
    Traffic traffic(peers, true);
    try {
      while (!carrier.receive(traffic)) continue;
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_P(DamageTest, IsRefusedByRings) {
  const std::vector<std::byte> record = damaged_record();
  std::string refusal;
  if (world.rank() == 0) {
    RmaCarrier carrier(world, peers, kRingBytes);
    refusal = receive(carrier);
  } else {
    const WindowLayout owner{1, kRingBytes};
    sys::Window window(world, owner.total_bytes());
    window.put(record, 0, owner.ring(0));
    window.flush(0);
    const std::uint64_t head = record.size();
    window.replace(head, 0, owner.head(0));
    window.flush(0);
  }
  expect_refusal(refusal);
}

TEST_P(DamageTest, IsRefusedByMessages) {
  const std::vector<std::byte> record = damaged_record();
  std::string refusal;
  if (world.rank() == 0) {
    TwoSidedCarrier carrier(world, peers, kRingBytes);
    refusal = receive(carrier);
  } else {
    sys::start_send(world, record, 0, sys::SendMode::buffered).wait();
  }
  world.barrier();
  expect_refusal(refusal);
}

INSTANTIATE_TEST_SUITE_P(Of, DamageTest, testing::ValuesIn(kDamages),
                         [](const auto& damage) { return damage.param.what; });

class SilenceTest : public testing::TestWithParam<config::Transport> {};

TEST_P(SilenceTest, EndsAWaitForRoomWithAMessage) {
  const sys::Communicator world = sys::Communicator::world();
  config::Mail options;
  options.transport = GetParam();
  options.ring_bytes = kRingBytes;
  options.timeout_seconds = 0.2;
  const auto post = make_post(world, {0}, {1}, options);
  std::string text;
  if (world.rank() == 1) {
    for (int n = 0; n < 100; ++n)
      post->send({PeerIndex(0), wire::MessageKind::lookup, Token(1), std::vector<std::byte>(100)});
    const Stopwatch waited;
    try {
      while (waited.seconds() < 20) post->progress();
    } catch (const Error& error) {
      text = error.what();
    }
    EXPECT_LT(waited.seconds(), 10);
  }
  world.barrier();
  if (world.rank() == 1) {
    EXPECT_THAT(text, HasSubstr("a peer has taken no mail for 0.2 s"));
    EXPECT_THAT(text, HasSubstr("requests to rank 0: "));
  }
  while (world.rank() == 0 && post->progress()) continue;  // takes what came, so that nothing is left in MPI
  world.barrier();
}

TEST_P(SilenceTest, RefusesRingSizesThatDifferOrAreTooSmall) {
  const sys::Communicator world = sys::Communicator::world();
  config::Mail options;
  options.transport = GetParam();
  options.ring_bytes = world.rank() == 0 ? 1024 : 2048;
  EXPECT_THROW((void)make_post(world, {0}, {1}, options), UserError);
  options.ring_bytes = world.rank() == 0 ? 100 : 1024;
  EXPECT_THROW((void)make_post(world, {0}, {1}, options), UserError);
}

TEST_P(SilenceTest, ARankWithoutPeersTakesPartInCreationAndCloseOnly) {
  const sys::Communicator world = sys::Communicator::world();
  config::Mail options;
  options.transport = GetParam();
  const auto post = make_post(world, {0}, {}, options);
  EXPECT_FALSE(post->progress());
  EXPECT_FALSE(post->receive());
  EXPECT_EQ(post->describe(), "");
  post->close();
}

INSTANTIATE_TEST_SUITE_P(Transports, SilenceTest,
                         testing::Values(config::Transport::rma, config::Transport::two_sided),
                         [](const auto& transport) {
                           return transport.param == config::Transport::rma ? "Rma" : "TwoSided";
                         });

}  // namespace
}  // namespace persia::mail
