#include "mail/landing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "mail/joiner.hpp"
#include "mail/outbox.hpp"

namespace persia::mail {
namespace {

using ::testing::Each;

// Rows of 64 bytes that count up, on their way to places of 8, 0 and 56 bytes.
struct LandingTest : ::testing::Test {
  Outbox out{true};
  Joiner in{PeerIndex(0), "replies from rank 0", true};
  std::vector<std::byte> body = std::vector<std::byte>(64);
  std::vector<std::byte> first = std::vector<std::byte>(8), second = std::vector<std::byte>(56);

  LandingTest() {
    for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<std::byte>(i + 1);
    out.push({PeerIndex(0), wire::MessageKind::rows, Token(9), body});
  }
  void land(Token token, std::span<std::byte> last) {
    in.land(token, Landing({std::span(first), std::span(first).first(0), last}));
  }
  std::optional<Message> pass(std::int64_t piece_bytes) {
    const OutgoingRecord record = out.take(piece_bytes);
    return in.accept(record.header, record.piece, 0);
  }
};

TEST_F(LandingTest, ABodyGoesToItsPlacesPieceByPiece) {
  land(Token(9), second);
  EXPECT_FALSE(pass(24));
  const auto message = pass(40);
  ASSERT_TRUE(message);
  EXPECT_TRUE(message->landed);
  EXPECT_TRUE(message->body.empty());
  EXPECT_EQ(first, std::vector(body.begin(), body.begin() + 8));
  EXPECT_EQ(second, std::vector(body.begin() + 8, body.end()));
}

TEST_F(LandingTest, AnotherSizeOrTokenComesAsABodyOfItsOwn) {
  land(Token(9), std::span(second).first(48));
  land(Token(8), second);
  const auto message = pass(64);
  ASSERT_TRUE(message);
  EXPECT_FALSE(message->landed);
  EXPECT_EQ(message->body, body);
  EXPECT_THAT(first, Each(std::byte{0}));
}

TEST_F(LandingTest, PlacesThatAreForgottenAreNotWrittenTo) {
  land(Token(9), second);
  EXPECT_FALSE(pass(8));
  in.forget_landings();
  ASSERT_TRUE(pass(56));
  EXPECT_THAT(second, Each(std::byte{0}));
  out.push({PeerIndex(0), wire::MessageKind::rows, Token(10), body});
  const auto message = pass(64);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->body, body);
}

}  // namespace
}  // namespace persia::mail
