// One cache line of the index: twelve entries with their control bytes.
//
// A control byte is 0 for a free entry, otherwise tag_of() of the row's id. The compare below is written with
// the compiler's portable vectors: one SSE2 or NEON compare, then two words to look at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace persia::table {

inline constexpr std::uint32_t kChunkEntries = 12;

struct alignas(64) Chunk {
  std::array<std::uint8_t, kChunkEntries> tags{};
  // Entries that belong to this chunk or one before it and stand behind it because it was full. Stays at 255.
  std::uint8_t passed = 0;
  std::array<std::uint8_t, 3> unused{};
  std::array<std::uint32_t, kChunkEntries> slots{};
};
static_assert(sizeof(Chunk) == 64);

// Entries of a chunk whose control byte was asked for, lowest first, as one bit each.
class Matches {
 public:
  Matches(const Chunk& chunk, std::uint8_t tag) {
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
    Bytes tags;
    std::memcpy(&tags, &chunk, sizeof tags);
    const auto equal = tags == tag;
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), &equal, sizeof words);
    bits_ = bit_per_byte(words[0]) | (bit_per_byte(words[1]) & 0xFU) << 8;  // twelve of sixteen
  }
  // Entry i is bit i.
  [[nodiscard]] std::uint32_t bits() const { return bits_; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  // Pre: not empty.
  [[nodiscard]] std::uint32_t first() const { return static_cast<std::uint32_t>(std::countr_zero(bits_)); }
  void remove_first() { bits_ &= bits_ - 1; }

 private:
  // Bytes are 0 or 255: byte i leaves its bit i, and the product adds the eight up in the top byte.
  static std::uint32_t bit_per_byte(std::uint64_t bytes) {
    return static_cast<std::uint32_t>((bytes & 0x8040201008040201ULL) * 0x0101010101010101ULL >> 56);
  }

  std::uint32_t bits_;
};

}  // namespace persia::table
