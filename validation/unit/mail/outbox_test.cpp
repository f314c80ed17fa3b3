#include "mail/outbox.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace persia::mail {
namespace {

Message message(std::size_t num_bytes, std::uint64_t token = 7) {
  return {PeerIndex(0), wire::MessageKind::lookup, Token(token),
          std::vector<std::byte>(num_bytes, std::byte{1})};
}

TEST(Outbox, CutsAMessageIntoRecordsInOrder) {
  Outbox out(true);
  out.push(message(100));
  const OutgoingRecord first = out.take(60);
  EXPECT_EQ(first.header.sequence, 0U);
  EXPECT_EQ(first.header.flags, 0);
  EXPECT_EQ(first.header.piece_bytes, 60U);
  EXPECT_EQ(first.header.message_bytes, 100U);
  EXPECT_EQ(first.header.token, 7U);
  const OutgoingRecord second = out.take(40);
  EXPECT_EQ(second.header.sequence, 1U);
  EXPECT_EQ(second.header.flags, wire::kLastRecord);
  EXPECT_EQ(second.piece.data(), first.piece.data() + 60) << "sent from where it lies";
  EXPECT_TRUE(out.empty());
}

TEST(Outbox, SealsRecordsOnlyWhenAsked) {
  Outbox sealed(true);
  sealed.push(message(8));
  const OutgoingRecord record = sealed.take(8);
  EXPECT_EQ(record.header.checksum, wire::record_checksum(record.header, record.piece));
  Outbox open(false);
  open.push(message(8));
  EXPECT_EQ(open.take(8).header.checksum, 0U);
}

TEST(Outbox, CountsWhatIsQueuedWithHeaders) {
  Outbox out(false);
  out.push(message(100));
  out.push(message(0));
  EXPECT_EQ(out.queued_bytes(), 196);
  out.take(60);
  EXPECT_EQ(out.queued_bytes(), 136);
  out.take(40);
  EXPECT_EQ(out.queued_bytes(), 48);
  out.take(0);
  EXPECT_EQ(out.queued_bytes(), 0);
}

TEST(Outbox, ReleaseKeepsWhatIsNotTakenWhole) {
  Outbox out(false);
  out.push(message(10));
  out.push(message(20, 8));
  out.take(10);
  out.take(5);
  SpareBodies spare;
  out.release(spare);
  EXPECT_EQ(out.left_bytes(), 15);
  EXPECT_EQ(out.take(15).header.token, 8U);
}

TEST(Outbox, TakesNothingAfterTheFinalRecord) {
  Outbox out(false);
  out.push_final();
  EXPECT_EQ(out.take(0).header.flags, wire::kFinalRecord);
  EXPECT_THROW(out.push(message(1)), Error);
}

TEST(Outbox, RefusesPiecesThatAreNoPartOfTheMessage) {
  Outbox out(false);
  out.push(message(10));
  EXPECT_THROW(out.take(11), Error);
  EXPECT_THROW(out.take(0), Error);
}

}  // namespace
}  // namespace persia::mail
