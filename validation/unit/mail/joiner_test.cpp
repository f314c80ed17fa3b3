#include "mail/joiner.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "mail/outbox.hpp"

namespace persia::mail {
namespace {

struct Stream {
  Outbox out{true};
  Joiner in{PeerIndex(3), "requests from rank 5", true};

  Stream() {
    out.push({PeerIndex(0), wire::MessageKind::gradient, Token(9), std::vector<std::byte>(64, std::byte{2})});
  }
};

std::string refusal(Joiner& in, const OutgoingRecord& record, std::int64_t offset = 128) {
  try {
    in.accept(record.header, record.piece, offset);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

void seal(OutgoingRecord& record) {
  record.header.checksum = wire::record_checksum(record.header, record.piece);
}

TEST(Joiner, JoinsTheRecordsOfAMessage) {
  Stream stream;
  const OutgoingRecord first = stream.out.take(24);
  EXPECT_FALSE(stream.in.accept(first.header, first.piece, 0));
  const OutgoingRecord second = stream.out.take(40);
  const auto message = stream.in.accept(second.header, second.piece, 72);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->peer, PeerIndex(3));
  EXPECT_EQ(message->kind, wire::MessageKind::gradient);
  EXPECT_EQ(message->token, Token(9));
  EXPECT_EQ(message->body, std::vector<std::byte>(64, std::byte{2}));
}

TEST(Joiner, NoticesEveryBitOfADamagedHeader) {
  for (std::size_t bit = 0; bit < 8 * sizeof(wire::RecordHeader); ++bit) {
    Stream stream;
    OutgoingRecord record = stream.out.take(64);
    auto* bytes = reinterpret_cast<unsigned char*>(&record.header);
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_NE(refusal(stream.in, record), "accepted") << "bit " << bit;
  }
}

TEST(Joiner, NoticesADamagedBody) {
  Stream stream;
  OutgoingRecord record = stream.out.take(64);
  std::vector<std::byte> damaged(record.piece.begin(), record.piece.end());
  damaged[63] ^= std::byte{1};
  record.piece = damaged;
  EXPECT_NE(refusal(stream.in, record).find("has checksum 0x"), std::string::npos);
}

TEST(Joiner, NamesStreamOffsetAndBothValues) {
  Stream stream;
  OutgoingRecord record = stream.out.take(64);
  record.header.magic = 0x1234;
  EXPECT_EQ(refusal(stream.in, record),
            "requests from rank 5: the record at offset 128 has magic 0x1234 where 0x5052 is expected; the "
            "window or "
            "the transport is damaged, or the ranks run different versions");
}

TEST(Joiner, RefusesALostOrRepeatedRecord) {
  Stream stream;
  const OutgoingRecord first = stream.out.take(24);
  const OutgoingRecord second = stream.out.take(40);
  EXPECT_NE(refusal(stream.in, second).find("sequence 0x1 where 0x0"), std::string::npos)
      << "the first was lost";
  Stream again;
  const OutgoingRecord once = again.out.take(24);
  EXPECT_EQ(refusal(again.in, once), "accepted");
  EXPECT_NE(refusal(again.in, first).find("sequence 0x0 where 0x1"), std::string::npos);
}

TEST(Joiner, RefusesASealedRecordOfAnotherMessage) {
  Stream stream;
  const OutgoingRecord first = stream.out.take(24);
  EXPECT_EQ(refusal(stream.in, first), "accepted");
  OutgoingRecord second = stream.out.take(40);
  second.header.token = 10;
  seal(second);
  EXPECT_NE(refusal(stream.in, second).find("token 0xa where 0x9"), std::string::npos);
}

TEST(Joiner, RefusesLengthsThatDoNotAddUp) {
  Stream stream;
  OutgoingRecord record = stream.out.take(24);
  record.header.flags = wire::kLastRecord;
  seal(record);
  EXPECT_NE(refusal(stream.in, record).find("brings a message of 64 bytes to 24"), std::string::npos);
}

TEST(Joiner, EndsWithTheFinalRecord) {
  Outbox out(true);
  Joiner in(PeerIndex(0), "replies from rank 0", true);
  out.push_final();
  const OutgoingRecord last = out.take(0);
  EXPECT_FALSE(in.finished());
  EXPECT_FALSE(in.accept(last.header, last.piece, 0));
  EXPECT_TRUE(in.finished());
  OutgoingRecord more = last;
  more.header.sequence = 1;
  seal(more);
  EXPECT_NE(refusal(in, more).find("follows the final one"), std::string::npos);
}

TEST(Joiner, LooksAtChecksumsOnlyWhenAsked) {
  Outbox out(false);
  Joiner in(PeerIndex(0), "x", false);
  out.push({PeerIndex(0), wire::MessageKind::rows, Token(1), {}});
  const OutgoingRecord record = out.take(0);
  EXPECT_TRUE(in.accept(record.header, record.piece, 0));
}

}  // namespace
}  // namespace persia::mail
