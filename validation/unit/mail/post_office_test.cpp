// The part of Post that all transports share, with a carrier that loops mail back or takes none.
#include "mail/post_office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::mail {
namespace {

using testing::HasSubstr;

// Gives every record that is sent to the only peer back, as if that peer had sent it.
class Echo final : public Carrier {
 public:
  explicit Echo(bool has_room) : has_room_(has_room) {}
  bool receive(Traffic& traffic) override {
    if (traffic.out(0).empty() || !has_room_) return false;
    const OutgoingRecord record = traffic.out(0).take(traffic.out(0).left_bytes());
    traffic.deliver(0, record.header, record.piece, 0);
    traffic.out(0).release(traffic.spare());
    return true;
  }
  bool send(Traffic& traffic) override {
    if (!traffic.out(0).empty()) traffic.note_full(0);
    return false;
  }
  [[nodiscard]] bool idle() const override { return true; }
  [[nodiscard]] std::string describe(std::size_t) const override { return "echo"; }
  void free() override {}

 private:
  bool has_room_;
};

PostOffice office(bool has_room, double timeout_seconds) {
  config::Mail options;
  options.timeout_seconds = timeout_seconds;
  return {std::make_unique<sys::Communicator>(sys::Communicator::self()), Peers{Side::client, {7}, {7}, 0, 1},
          std::make_unique<Echo>(has_room), options};
}

TEST(PostOffice, HandsOutMessagesInOrderAndCountsThem) {
  PostOffice post = office(true, 60);
  for (std::uint64_t n = 0; n < 3; ++n)
    post.send({PeerIndex(0), wire::MessageKind::lookup, Token(n), std::vector<std::byte>(n)});
  while (post.progress()) continue;
  for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(post.receive()->token, Token(n));
  EXPECT_FALSE(post.receive());
  EXPECT_EQ(post.counts().messages_sent, 3);
  EXPECT_EQ(post.counts().messages_received, 3);
  EXPECT_EQ(post.counts().bytes_sent, 3);
  EXPECT_EQ(post.counts().bytes_received, 3);
}

TEST(PostOffice, RefusesMailToNobody) {
  PostOffice post = office(true, 60);
  EXPECT_THROW(post.send({PeerIndex(1), wire::MessageKind::lookup, Token(0), {}}), Error);
  EXPECT_THROW(post.send({PeerIndex(-1), wire::MessageKind::lookup, Token(0), {}}), Error);
}

TEST(PostOffice, GivesUpOnAPeerThatTakesNothingAndSaysWhich) {
  PostOffice post = office(false, 0.05);
  post.send({PeerIndex(0), wire::MessageKind::lookup, Token(0), std::vector<std::byte>(52)});
  try {
    for (;;) post.progress();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a peer has taken no mail for 0.05 s (mail.timeout_seconds)"));
    EXPECT_THAT(error.what(), HasSubstr("requests to rank 7: echo, queued 100 bytes"));
  }
}

TEST(PostOffice, WaitsForNobodyWhileNothingIsQueued) {
  PostOffice post = office(false, 0);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(post.progress());
}

TEST(PostOffice, ClosingSendsWhatIsQueuedAndKeepsWhatCame) {
  PostOffice post = office(true, 60);
  post.send({PeerIndex(0), wire::MessageKind::lookup, Token(5), {}});
  post.close();
  EXPECT_EQ(post.receive()->token, Token(5));
  EXPECT_THROW(post.send({PeerIndex(0), wire::MessageKind::lookup, Token(6), {}}), Error);
}

}  // namespace
}  // namespace persia::mail
