// The random bits of stochastic rounding: a pure function of (table key, id, update count of the row,
// element).
//
// The table key is mixed from the run's seed and the table's salt. Pure functions; their values decide
// trained models, so rounding_test.cpp holds golden ones.
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace persia::table {

// One row's stream of rounding bits for one update.
class RoundingStream {
 public:
  RoundingStream(std::uint64_t table_key, std::uint64_t id, std::uint64_t update_count)
      : RoundingStream(mix64((table_key ^ id) + update_count * 0xD6E8FEB86659FD93ULL)) {}

  // 32 bits for each element number: a Weyl sequence through Murmur3's finalizer, whose 32-bit steps
  // vectorize everywhere.
  template <class Word>
  [[gnu::always_inline]] [[nodiscard]] Word bits(Word element) const {
    Word x = element * step_ + start_;
    x = (x ^ x >> 16) * 0x85EBCA6BU;
    x = (x ^ x >> 13) * 0xC2B2AE35U;
    return x ^ x >> 16;
  }

 private:
  explicit RoundingStream(std::uint64_t key)
      : start_(static_cast<std::uint32_t>(key)), step_(static_cast<std::uint32_t>(key >> 32) | 1U) {}

  std::uint32_t start_;
  std::uint32_t step_;  // odd: no element's word repeats within a row
};

}  // namespace persia::table
