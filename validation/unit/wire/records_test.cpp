#include "wire/records.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace persia::wire {
namespace {

RecordHeader example() {
  RecordHeader header;
  header.kind = MessageKind::gradient;
  header.flags = kLastRecord;
  header.sequence = 0x0102030405060708;
  header.token = 0x1112131415161718;
  header.piece_bytes = 0x21222324;
  header.message_bytes = 0x3132333435363738;
  header.checksum = 0x4142434445464748;
  return header;
}

// The bytes of version 3. If this fails, ranks of different versions no longer understand each other: raise
// kWireVersion.
TEST(Records, HeaderHasTheBytesOfVersion3) {
  constexpr std::array<unsigned char, 48> golden = {
      0x52, 0x50, 0x03, 0x00, 0x03, 0x00, 0x01, 0x00,  // magic, version, kind, flags
      0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,  // sequence
      0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,  // token
      0x24, 0x23, 0x22, 0x21, 0x00, 0x00, 0x00, 0x00,  // piece_bytes, reserved
      0x38, 0x37, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31,  // message_bytes
      0x48, 0x47, 0x46, 0x45, 0x44, 0x43, 0x42, 0x41,  // checksum
  };
  const RecordHeader header = example();
  EXPECT_EQ(std::memcmp(&header, golden.data(), golden.size()), 0);
}

TEST(Records, LookupHeaderHasTheBytesOfVersion3) {
  constexpr std::array<unsigned char, 16> golden = {8, 7, 6, 5, 4, 3, 2, 1, 1, 0, 2, 0, 26, 0, 0, 0};
  const LookupHeader header{0x0102030405060708, LookupPurpose::evaluate, ValueFormat::bf16, 26};
  EXPECT_EQ(std::memcmp(&header, golden.data(), golden.size()), 0);
}

// Every field of a header at its place: each gets its own number, and whole numbers lie little end first.
template <class Header, class Word>
std::vector<Word> words_of(const Header& header) {
  std::vector<Word> words(sizeof header / sizeof(Word));
  std::memcpy(words.data(), &header, sizeof header);
  return words;
}

TEST(Records, GradientAndWantHeadersHaveTheBytesOfVersion3) {
  EXPECT_EQ((words_of<GradientHeader, std::uint32_t>(
                {.step = 0x200000001, .trainer = 3, .values = ValueFormat::fp16})),
            (std::vector<std::uint32_t>{1, 2, 3, 1}));
  EXPECT_EQ((words_of<WantHeader, std::uint32_t>(
                {.step = 0x200000001, .number = 0x400000003, .pass = 5, .values = ValueFormat::bf16})),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 2}));
}

TEST(Records, ReadyAndNoBatchHeadersHaveTheBytesOfVersion3) {
  const ReadCounts counts{.rows = 8,
                          .skipped_rows = 9,
                          .blank_dense = 10,
                          .blank_categories = 11,
                          .truncated_lists = 12,
                          .bad_ids = 13};
  const ReadyHeader ready{.epoch = 1,
                          .batch_in_epoch = 2,
                          .global_rows = 3,
                          .num_samples = 4,
                          .num_labels = 5,
                          .num_dense = 6,
                          .width = 7,
                          .counts = counts};
  EXPECT_EQ((words_of<ReadyHeader, std::uint64_t>(ready)),
            (std::vector<std::uint64_t>{1, 2, 3, 0x500000004, 0x700000006, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ((words_of<NoBatchHeader, std::uint64_t>({.exit_code = 2, .counts = counts})),
            (std::vector<std::uint64_t>{2, 8, 9, 10, 11, 12, 13}));
}

TEST(Records, KindsHaveTheNumbersOfVersion3) {
  constexpr std::array names = {"lookup", "rows",  "gradient",   "cancel",   "applied",
                                "save",   "saved", "statistics", "report",   "final",
                                "want",   "ready", "pooled",     "no_batch", "patience"};
  for (std::size_t number = 1; number <= names.size(); ++number)
    EXPECT_EQ(name_of(static_cast<MessageKind>(number)), names[number - 1]);
  EXPECT_EQ(name_of(static_cast<MessageKind>(77)), "kind 77");
}

TEST(Records, AreHeaderAndPieceUpToWholeWords) {
  EXPECT_EQ(record_bytes(0), 48);
  EXPECT_EQ(record_bytes(1), 56);
  EXPECT_EQ(record_bytes(8), 56);
  EXPECT_EQ(record_bytes(9), 64);
}

// The value comes from the same two steps with the Python package xxhash.
TEST(Records, ChecksumIsThatOfVersion3) {
  const std::array piece = {std::byte{1}, std::byte{2}, std::byte{3}};
  EXPECT_EQ(record_checksum(example(), piece), 0x84C59D7300E8622FULL);
}

TEST(Records, ChecksumNoticesEveryBitOfHeaderAndPiece) {
  std::array<std::byte, sizeof(RecordHeader) + 16> bytes{};
  const RecordHeader header = example();
  std::memcpy(bytes.data(), &header, sizeof header);
  const auto sum = [&] {
    RecordHeader read;
    std::memcpy(&read, bytes.data(), sizeof read);
    return record_checksum(read, std::span(bytes).subspan(sizeof read));
  };
  const std::uint64_t right = sum();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    if (bit / 8 >= offsetof(RecordHeader, checksum) && bit / 8 < sizeof(RecordHeader))
      continue;  // not covered
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    bytes[bit / 8] ^= mask;
    EXPECT_NE(sum(), right) << "bit " << bit;
    bytes[bit / 8] ^= mask;
  }
}

}  // namespace
}  // namespace persia::wire
