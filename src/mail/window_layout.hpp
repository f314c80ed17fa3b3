// Where things lie in the window of one process. Version 1.
//
//   heads    u64 (peers)         written by peer i: end of what it put into ring i
//   credits  u64 (peers)         written by peer i: what it took of this process's ring in its window
//   rings    bytes (peers, ring) ring i is written by peer i
//
// Heads lie side by side, so a sweep over P peers reads P/8 cache lines; heads, credits and rings each start
// on a cache line of their own. Every word has one writer.
#pragma once

#include <cstdint>

namespace persia::mail {

struct WindowLayout {
  std::int64_t num_peers = 0;
  std::int64_t ring_bytes = 0;  // a multiple of 64

  [[nodiscard]] constexpr std::int64_t head(std::int64_t peer) const { return peer * 8; }
  [[nodiscard]] constexpr std::int64_t credit(std::int64_t peer) const { return words_bytes() + peer * 8; }
  [[nodiscard]] constexpr std::int64_t ring(std::int64_t peer) const {
    return 2 * words_bytes() + peer * ring_bytes;
  }
  [[nodiscard]] constexpr std::int64_t total_bytes() const { return ring(num_peers); }

 private:
  [[nodiscard]] constexpr std::int64_t words_bytes() const { return (num_peers * 8 + 63) / 64 * 64; }
};

}  // namespace persia::mail
