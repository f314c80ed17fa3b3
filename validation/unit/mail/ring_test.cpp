#include "mail/ring.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/random.hpp"

namespace persia::mail {
namespace {

// A ring whose two ends stand in one thread.
struct Pair {
  explicit Pair(std::int64_t capacity)
      : bytes(static_cast<std::size_t>(capacity)), writer(capacity, "out"), reader(bytes, "in") {}

  // The place of one record with as much of `left` as fits; writes its header.
  std::optional<RingPlace> write(std::int64_t left) {
    const auto place = writer.place(left);
    if (!place) return place;
    wire::RecordHeader header;
    header.sequence = sequence++;
    header.piece_bytes = static_cast<std::uint32_t>(place->piece_bytes);
    std::memcpy(bytes.data() + place->offset, &header, sizeof header);
    return place;
  }
  std::optional<RingRecord> read() {
    auto record = reader.peek(writer.head());
    if (record) reader.pop();
    return record;
  }
  void give_credit() { writer.take_credit(reader.publish()); }

  std::vector<std::byte> bytes;
  RingWriter writer;
  RingReader reader;
  std::uint64_t sequence = 0;
};

TEST(Ring, StartsEmpty) {
  Pair ring(256);
  EXPECT_FALSE(ring.read());
  EXPECT_EQ(ring.writer.head(), 0U);
}

TEST(Ring, CutsBodiesIntoQuartersOfTheRing) {
  Pair ring(1024);
  EXPECT_EQ(ring.write(5000)->piece_bytes, 1024 / 4 - 48);
  EXPECT_EQ(largest_piece(std::numeric_limits<std::int64_t>::max()), std::int64_t{1} << 30);
}

TEST(Ring, IsFullUntilCreditComes) {
  Pair ring(256);
  int written = 0;
  while (ring.write(16)) ++written;
  EXPECT_EQ(written, 4);
  EXPECT_FALSE(ring.writer.place(0));
  EXPECT_TRUE(ring.read());
  EXPECT_FALSE(ring.writer.place(16)) << "taken, but not given back yet";
  ring.give_credit();
  EXPECT_TRUE(ring.writer.place(16));
}

// Every capacity and every phase of it: records stay in the ring, aligned, in order, and nothing is
// overwritten before it is given back.
TEST(Ring, WrapsAroundAtEveryPhase) {
  for (std::int64_t capacity = 256; capacity <= 640; capacity += 8) {
    Pair ring(capacity);
    std::uint64_t expected = 0;
    for (std::uint64_t step = 0; step < 3000; ++step) {
      if (random_below(1, static_cast<std::uint64_t>(capacity), step, 2) == 0) {
        const auto place = ring.write(
            static_cast<std::int64_t>(random_below(2, static_cast<std::uint64_t>(capacity), step, 200)));
        if (!place) continue;
        ASSERT_EQ(place->offset % 8, 0);
        ASSERT_LE(place->offset + wire::record_bytes(place->piece_bytes), capacity);
      } else if (const auto record = ring.read()) {
        ASSERT_EQ(record->header.sequence, expected++);
        if (ring.reader.owes_credit()) ring.give_credit();
      }
      ASSERT_LE(ring.writer.head() - ring.writer.credit(), static_cast<std::uint64_t>(capacity));
    }
    EXPECT_GT(expected, 1000U);
  }
}

// The reader may keep back an eighth of the ring: that must never stop a writer for good.
TEST(Ring, AnEmptiedRingHasRoomForTheLargestRecordAtEveryPhase) {
  for (std::int64_t capacity = 256; capacity <= 2048; capacity += 8) {
    Pair ring(capacity);
    for (std::int64_t turn = 0; turn < capacity; ++turn) {
      ASSERT_TRUE(ring.write(turn % (largest_piece(capacity) + 1))) << capacity << " turn " << turn;
      while (ring.read()) continue;
      if (ring.reader.owes_credit()) ring.give_credit();
    }
  }
}

TEST(Ring, RefusesACreditThatNobodyCanHaveGiven) {
  Pair ring(256);
  ring.write(16);
  EXPECT_THROW(ring.writer.take_credit(72), Error);
  EXPECT_TRUE(ring.writer.take_credit(64));
  EXPECT_FALSE(ring.writer.take_credit(64));
  EXPECT_THROW(ring.writer.take_credit(8), Error);
}

TEST(Ring, RefusesAHeadThatNobodyCanHavePublished) {
  Pair ring(256);
  EXPECT_THROW((void)ring.reader.peek(264), Error) << "more than the ring holds";
  EXPECT_THROW((void)ring.reader.peek(60), Error) << "no multiple of 8";
  ring.write(16);
  ring.read();
  EXPECT_THROW((void)ring.reader.peek(8), Error) << "backwards";
}

TEST(Ring, RefusesALengthBeyondWhatIsPublishedAndNamesTheNumbers) {
  Pair ring(256);
  ring.write(16);
  const std::uint32_t damaged = 17;
  std::memcpy(ring.bytes.data() + offsetof(wire::RecordHeader, piece_bytes), &damaged, sizeof damaged);
  try {
    (void)ring.reader.peek(ring.writer.head());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "in: the record at offset 0 claims 72 bytes where at most 64 are published; the window or the "
        "transport is damaged");
  }
}

TEST(Ring, RefusesCapacitiesThatHoldNoWholeWords) {
  EXPECT_THROW(RingWriter(248, "out"), Error);
  EXPECT_THROW(RingWriter(260, "out"), Error);
}

}  // namespace
}  // namespace persia::mail
