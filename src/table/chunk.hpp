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

// Entries of a chunk whose control byte was asked for, lowest first.
class Matches {
 public:
  Matches(const Chunk& chunk, std::uint8_t tag) {
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
    Bytes tags;
    std::memcpy(&tags, &chunk, sizeof tags);
    const auto equal = tags == tag;
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), &equal, sizeof words);
    low_ = words[0];
    high_ = words[1] & 0xFFFFFFFFU;  // twelve of sixteen
  }
  [[nodiscard]] bool empty() const { return (low_ | high_) == 0; }
  // Pre: not empty.
  [[nodiscard]] std::uint32_t first() const {
    const int bit = low_ != 0 ? std::countr_zero(low_) : 64 + std::countr_zero(high_);
    return static_cast<std::uint32_t>(bit) / 8;
  }
  void remove_first() {
    const std::uint32_t entry = first();
    if (entry < 8)
      low_ &= ~(std::uint64_t{0xFF} << (8 * entry));
    else
      high_ &= ~(std::uint64_t{0xFF} << (8 * (entry - 8)));
  }

 private:
  std::uint64_t low_ = 0, high_ = 0;
};

}  // namespace persia::table
