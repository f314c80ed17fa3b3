#include "mail/late_post.hpp"

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

#include "base/clock.hpp"

namespace persia::mail {
namespace {

// Has these messages at once.
class FullPost final : public Post {
 public:
  explicit FullPost(std::deque<Message> messages) : messages_(std::move(messages)) {}
  void send(Message message) override { messages_.push_back(std::move(message)); }
  bool progress() override { return false; }
  std::optional<Message> receive() override {
    if (messages_.empty()) return std::nullopt;
    std::optional<Message> message(std::move(messages_.front()));
    messages_.pop_front();
    return message;
  }
  [[nodiscard]] std::int64_t queued_bytes(PeerIndex) const override { return 0; }
  [[nodiscard]] const PostCounts& counts() const override { return counts_; }
  [[nodiscard]] std::string describe() const override { return "full"; }
  void close() override {}

 private:
  std::deque<Message> messages_;
  PostCounts counts_;
};

Message letter(std::int32_t peer, std::uint64_t token) {
  return {PeerIndex(peer), wire::MessageKind::rows, Token(token), {}};
}

struct Seen {
  Message message;
  double seconds;
};

std::vector<Seen> take_all(LatePost& post, std::size_t count) {
  std::vector<Seen> seen;
  for (const Stopwatch watch; seen.size() < count && watch.seconds() < 20;) {
    (void)post.progress();
    while (std::optional<Message> message = post.receive())
      seen.push_back({std::move(*message), watch.seconds()});
    std::this_thread::yield();
  }
  return seen;
}

TEST(LatePost, NoMessageIsSeenBeforeItsDelay) {
  LatePost post(std::make_unique<FullPost>(std::deque<Message>{letter(0, 1), letter(1, 2)}), 0.05, 0, 1);
  const std::vector<Seen> seen = take_all(post, 2);
  ASSERT_EQ(seen.size(), 2U);
  for (const Seen& one : seen) EXPECT_GE(one.seconds, 0.05);
}

TEST(LatePost, RandomDelaysKeepTheOrderOfEachSender) {
  std::deque<Message> letters;
  for (std::uint64_t n = 0; n < 200; ++n) letters.push_back(letter(static_cast<std::int32_t>(n % 3), n));
  LatePost post(std::make_unique<FullPost>(std::move(letters)), 0, 0.1, 7);
  const std::vector<Seen> seen = take_all(post, 200);
  ASSERT_EQ(seen.size(), 200U);
  std::map<PeerIndex, std::uint64_t> last;
  bool overtaken = false;  // across senders
  std::uint64_t highest = 0;
  for (const auto& [message, seconds] : seen) {
    EXPECT_LE(last[message.peer], message.token.value());
    last[message.peer] = message.token.value();
    overtaken = overtaken || message.token.value() < highest;
    highest = std::max(highest, message.token.value());
  }
  EXPECT_TRUE(overtaken) << "delays of different senders are not the same";
}

TEST(LatePost, SaysHowManyItHolds) {
  LatePost post(std::make_unique<FullPost>(std::deque<Message>{letter(0, 1)}), 60, 0, 1);
  (void)post.progress();
  EXPECT_EQ(post.describe(), "full\n1 messages held back by mail.delay_ms");
}

}  // namespace
}  // namespace persia::mail
