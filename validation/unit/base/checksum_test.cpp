#include "base/checksum.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace persia {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Checksum, IsXxh3AsPublished) {
  EXPECT_EQ(checksum64({}), 0x2D06800538D394C2ULL);
  EXPECT_EQ(checksum64(bytes_of("abc")), 0x78AF5F94892F3950ULL);
}

TEST(Checksum, DependsOnSeedAndEveryByte) {
  EXPECT_NE(checksum64(bytes_of("abc"), 1), checksum64(bytes_of("abc")));
  std::string text(10000, 'x');
  const std::uint64_t whole = checksum64(bytes_of(text));
  for (const std::size_t place : {0UL, 5000UL, 9999UL}) {
    text[place] = 'y';
    EXPECT_NE(checksum64(bytes_of(text)), whole);
    text[place] = 'x';
  }
}

TEST(ChecksumStream, GivesTheSameForPiecesOfAnySize) {
  const std::string text(100000, 'p');
  for (const std::size_t piece : {1UL, 7UL, 4096UL, 100000UL}) {
    ChecksumStream stream;
    for (std::size_t at = 0; at < text.size(); at += piece)
      stream.update(bytes_of(std::string_view(text).substr(at, piece)));
    EXPECT_EQ(stream.value(), checksum64(bytes_of(text))) << piece;
  }
}

TEST(ChecksumStream, GoesOnAfterAMove) {
  ChecksumStream first;
  first.update(bytes_of("ab"));
  ChecksumStream second = std::move(first);
  second.update(bytes_of("c"));
  EXPECT_EQ(second.value(), checksum64(bytes_of("abc")));
}

}  // namespace
}  // namespace persia
