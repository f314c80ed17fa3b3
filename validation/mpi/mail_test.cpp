// Both transports behind Post: the same promises, checked with the same tests.
// World: rank 0 owns, the others are clients; 4 ranks: ranks 0 and 1 own.
#include "mail/post.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "sys/communicator.hpp"

namespace persia::mail {
namespace {

struct World {
  sys::Communicator comm = sys::Communicator::world();
  std::vector<int> owners;
  std::vector<int> clients;
  World() {
    const int num_owners = comm.size() >= 4 ? 2 : 1;
    for (int r = 0; r < comm.size(); ++r) (r < num_owners ? owners : clients).push_back(r);
  }
  [[nodiscard]] bool owns() const { return comm.rank() < static_cast<int>(owners.size()); }
  [[nodiscard]] const std::vector<int>& peers() const { return owns() ? clients : owners; }
};

class MailTest : public testing::TestWithParam<config::Transport> {
 protected:
  [[nodiscard]] config::Mail options(std::int64_t ring_bytes) const {
    config::Mail result;
    result.transport = GetParam();
    result.ring_bytes = ring_bytes;
    result.timeout_seconds = 60;
    return result;
  }
  World world;
};

// The body of message `number` from one rank to another: its length and bytes follow from the three.
std::vector<std::byte> body_of(int from, int to, std::uint64_t number, std::uint64_t largest) {
  const auto stream = static_cast<std::uint64_t>(from * 64 + to);
  std::vector<std::byte> body(random_below(1, stream, number, largest + 1));
  const std::uint64_t word = random_bits(2, stream, number);
  for (std::size_t i = 0; i < body.size(); i += sizeof word)
    std::memcpy(body.data() + i, &word, std::min(sizeof word, body.size() - i));
  return body;
}

Message message_of(const World& world, std::size_t peer, std::uint64_t number, std::uint64_t largest) {
  return {PeerIndex(static_cast<std::int32_t>(peer)), wire::MessageKind::rows, Token(number),
          body_of(world.comm.rank(), world.peers()[peer], number, largest)};
}

// Counts messages per peer and checks order and bytes of each.
class Checker {
 public:
  Checker(const World& world, std::uint64_t largest)
      : world_(world), largest_(largest), next_(world.peers().size()) {}
  std::int64_t take_all(Post& post) {
    std::int64_t taken = 0;
    for (; auto message = post.receive(); ++taken) {
      const auto peer = static_cast<std::size_t>(message->peer.value());
      const std::uint64_t number = next_.at(peer)++;
      wrong_ += message->token != Token(number) || message->kind != wire::MessageKind::rows ||
                message->body != body_of(world_.peers()[peer], world_.comm.rank(), number, largest_);
    }
    received_ += taken;
    return taken;
  }
  [[nodiscard]] std::int64_t received() const { return received_; }
  [[nodiscard]] std::int64_t wrong() const { return wrong_; }

 private:
  const World& world_;
  std::uint64_t largest_;
  std::vector<std::uint64_t> next_;
  std::int64_t received_ = 0;
  std::int64_t wrong_ = 0;
};

// Every rank sends `count` messages to every peer, keeping a few queued, with a nap before some of them.
void exchange(World& world, Post& post, std::int64_t count, std::uint64_t largest, int nap_every) {
  Checker checker(world, largest);
  const auto peers = static_cast<std::int64_t>(world.peers().size());
  Backoff backoff;
  std::int64_t sent = 0;
  while (sent < count || checker.received() < count * peers) {
    for (int burst = 0; burst < 8 && sent < count; ++burst, ++sent)
      for (std::size_t p = 0; p < world.peers().size(); ++p)
        post.send(message_of(world, p, static_cast<std::uint64_t>(sent), largest));
    if (nap_every > 0 &&
        random_below(3, static_cast<std::uint64_t>(world.comm.rank()), static_cast<std::uint64_t>(sent),
                     static_cast<std::uint64_t>(nap_every)) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    bool moved = post.progress();
    while (sent < count && post.queued_bytes(PeerIndex(0)) > (1 << 20)) moved |= post.progress();
    moved |= checker.take_all(post) > 0;
    if (moved)
      backoff.reset();
    else
      backoff.wait();
  }
  EXPECT_EQ(checker.received(), count * peers);
  EXPECT_EQ(checker.wrong(), 0);
}

TEST_P(MailTest, BringsEveryMessageOnceInOrderThroughATinyRing) {
  const auto post = make_post(world.comm, world.owners, world.clients, options(256));
  exchange(world, *post, 2000, 200, 0);
  post->close();
}

TEST_P(MailTest, BringsMessagesLargerThanTheRing) {
  const auto post = make_post(world.comm, world.owners, world.clients, options(4096));
  exchange(world, *post, 200, 40000, 0);
  post->close();
}

TEST_P(MailTest, LosesNothingOverAMillionRecordsWithDelays) {
  const auto post = make_post(world.comm, world.owners, world.clients, options(65536));
  const auto pairs = static_cast<std::int64_t>(2 * world.owners.size() * world.clients.size());
  exchange(world, *post, 1'000'000 / pairs + 1, 500, 5000);
  const std::int64_t sent = post->counts().messages_sent;
  post->close();
  std::int64_t total = sent;
  world.comm.sum(std::span(&total, 1));
  EXPECT_GE(total, 1'000'000);
}

TEST_P(MailTest, HoldsBackWhileAPeerTakesNothing) {
  const auto post = make_post(world.comm, world.owners, world.clients, options(4096));
  constexpr std::uint64_t kCount = 500;
  if (!world.owns()) {
    for (std::uint64_t n = 0; n < kCount; ++n)
      for (std::size_t p = 0; p < world.peers().size(); ++p) post->send(message_of(world, p, n, 300));
    for (int sweep = 0; sweep < 1000; ++sweep) post->progress();
    EXPECT_GT(post->queued_bytes(PeerIndex(0)), 0);
    EXPECT_GT(post->counts().full_ring_waits, 0);
  }
  world.comm.barrier();
  Checker checker(world, 300);
  const std::int64_t expected = world.owns() ? static_cast<std::int64_t>(kCount * world.clients.size()) : 0;
  while (checker.received() < expected) {
    post->progress();
    checker.take_all(*post);
  }
  post->close();
  EXPECT_EQ(checker.received(), expected);
  EXPECT_EQ(checker.wrong(), 0);
  EXPECT_EQ(post->queued_bytes(PeerIndex(0)), 0);
}

constexpr std::uint64_t kAnswerBytes = 10'000;

// Answers each of `count` messages with one of the same number.
void answer_all(const World& world, Post& post, std::int64_t count) {
  for (std::int64_t answered = 0; answered < count;) {
    post.progress();
    while (const auto message = post.receive()) {
      const auto peer = static_cast<std::size_t>(message->peer.value());
      post.send(message_of(world, peer, message->token.value(), kAnswerBytes));
      ++answered;
    }
  }
}

TEST_P(MailTest, AClientThatTakesNothingHoldsBackNobodyElse) {
  if (world.clients.size() < 2) GTEST_SKIP() << "needs two clients";
  constexpr std::uint64_t kRoundTrips = 200, kForgotten = 8;  // whose answers do not fit the ring
  const auto post = make_post(world.comm, world.owners, world.clients, options(4096));
  const bool sleeps = world.comm.rank() == world.clients.back();
  const auto num_owners = static_cast<std::int64_t>(world.owners.size());
  const auto ask = [&](std::uint64_t number) {
    for (std::size_t p = 0; p < world.peers().size(); ++p) post->send(message_of(world, p, number, 300));
  };
  Checker checker(world, kAnswerBytes);
  if (world.owns()) {
    const auto quick = static_cast<std::int64_t>(world.clients.size() - 1);
    answer_all(world, *post,
               quick * static_cast<std::int64_t>(kRoundTrips) + static_cast<std::int64_t>(kForgotten));
    for (std::size_t p = 0; p + 1 < world.clients.size(); ++p)
      while (post->queued_bytes(PeerIndex(static_cast<std::int32_t>(p))) > 0) post->progress();
  } else if (sleeps) {
    for (std::uint64_t n = 0; n < kForgotten; ++n) ask(n);
    while (post->queued_bytes(PeerIndex(static_cast<std::int32_t>(num_owners - 1))) +
               post->queued_bytes(PeerIndex(0)) >
           0)
      post->progress();
  } else {
    for (std::uint64_t n = 0; n < kRoundTrips; ++n) {
      ask(n);
      while (checker.received() < num_owners * static_cast<std::int64_t>(n + 1)) {
        post->progress();
        checker.take_all(*post);
      }
    }
  }
  world.comm.barrier();  // all round trips are over, and the last client has taken few of its answers
  if (world.owns()) {
    EXPECT_GT(post->queued_bytes(PeerIndex(static_cast<std::int32_t>(world.clients.size() - 1))), 0);
  }
  world.comm.barrier();
  post->close();
  checker.take_all(*post);
  if (!world.owns()) {
    EXPECT_EQ(checker.received(), num_owners * static_cast<std::int64_t>(sleeps ? kForgotten : kRoundTrips));
  }
  EXPECT_EQ(checker.wrong(), 0);
}

TEST_P(MailTest, ClosingDeliversWhatIsQueued) {
  const auto post = make_post(world.comm, world.owners, world.clients, options(1024));
  constexpr std::uint64_t kCount = 50;
  for (std::uint64_t n = 0; n < kCount; ++n)
    for (std::size_t p = 0; p < world.peers().size(); ++p) post->send(message_of(world, p, n, 3000));
  post->close();
  Checker checker(world, 3000);
  checker.take_all(*post);
  EXPECT_EQ(checker.received(), static_cast<std::int64_t>(kCount * world.peers().size()));
  EXPECT_EQ(checker.wrong(), 0);
}

INSTANTIATE_TEST_SUITE_P(Transports, MailTest,
                         testing::Values(config::Transport::rma, config::Transport::two_sided),
                         [](const auto& transport) {
                           return transport.param == config::Transport::rma ? "Rma" : "TwoSided";
                         });

}  // namespace
}  // namespace persia::mail
