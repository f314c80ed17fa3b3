// The whole path of a record over plain memory: Outbox -> ring -> Joiner, producer and consumer in two
// threads. The words travel with release and acquire, as the window's do, so thread sanitizers see what MPI
// hides.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "base/random.hpp"
#include "mail/joiner.hpp"
#include "mail/outbox.hpp"
#include "mail/ring.hpp"

namespace persia::mail {
namespace {

constexpr std::int64_t kMessages = 5'000;

struct SharedRing {
  explicit SharedRing(std::int64_t capacity) : bytes(static_cast<std::size_t>(capacity)) {}
  std::vector<std::byte> bytes;
  std::atomic<std::uint64_t> head{0};
  std::atomic<std::uint64_t> credit{0};
};

std::vector<std::byte> body_of(std::uint64_t number) {
  return std::vector<std::byte>(random_below(1, 1, number, 700),
                                static_cast<std::byte>(random_bits(1, 2, number)));
}

void produce(SharedRing& shared) {
  RingWriter writer(static_cast<std::int64_t>(shared.bytes.size()), "out");
  Outbox out(true);
  for (std::uint64_t n = 0; n < kMessages; ++n)
    out.push({PeerIndex(0), wire::MessageKind::rows, Token(n), body_of(n)});
  while (!out.empty()) {
    writer.take_credit(shared.credit.load(std::memory_order_acquire));
    const auto place = writer.place(out.left_bytes());
    if (!place) {
      std::this_thread::yield();
      continue;
    }
    const OutgoingRecord record = out.take(place->piece_bytes);
    std::byte* to = shared.bytes.data() + place->offset;
    std::memcpy(to, &record.header, sizeof record.header);
    if (!record.piece.empty())
      std::memcpy(to + sizeof record.header, record.piece.data(), record.piece.size());
    shared.head.store(writer.head(), std::memory_order_release);
  }
}

// The number of messages that came right.
std::int64_t consume(SharedRing& shared) {
  RingReader reader(shared.bytes, "in");
  Joiner joiner(PeerIndex(0), "in", true);
  std::int64_t right = 0;
  for (std::uint64_t n = 0; n < kMessages;) {
    const auto record = reader.peek(shared.head.load(std::memory_order_acquire));
    if (!record) {
      std::this_thread::yield();
      continue;
    }
    const auto message = joiner.accept(record->header, record->piece, record->offset);
    reader.pop();
    if (reader.owes_credit()) shared.credit.store(reader.publish(), std::memory_order_release);
    if (!message) continue;
    right += message->token == Token(n) && message->body == body_of(n);
    ++n;
  }
  return right;
}

class RingThreadsTest : public testing::TestWithParam<std::int64_t> {};

TEST_P(RingThreadsTest, BringsEveryMessageOnceInOrder) {
  SharedRing shared(GetParam());
  std::jthread producer([&] { produce(shared); });
  EXPECT_EQ(consume(shared), kMessages);
}

INSTANTIATE_TEST_SUITE_P(Capacities, RingThreadsTest, testing::Values(256, 264, 1000, 65536));

}  // namespace
}  // namespace persia::mail
