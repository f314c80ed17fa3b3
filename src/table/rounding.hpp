// The random bits of stochastic rounding: a pure function of (table key, id, update count of the row,
// element).
//
// 64 mixed bits for each row and update, of which start and step are made; element i has start + i step, as
// hashing by multiplication does (Dietzfelbinger, "Universal hashing and k-wise independent random variables
// via integer arithmetic without primes", STACS 1996). So every element is uniform by itself and the upper
// bits of any two elements of a row are independent: the mean of each rounding, and the variance of every
// weighted sum of a row's roundings, are those of fully random bits, at one addition per element. Between
// rows and between updates everything is mixed. The lower half of a word is less random and not to be used.
//
// The table key is mixed from the run's seed and the table's salt. Pure functions; their values decide
// trained models, so rounding_test.cpp holds golden ones.
#pragma once

#include <cstdint>

#include "base/hash.hpp"
#include "table/lanes.hpp"

namespace persia::table {

// One row's stream of rounding bits for one update.
class RoundingStream {
 public:
  RoundingStream(std::uint64_t table_key, std::uint64_t id, std::uint64_t update_count)
      : RoundingStream(mix64((table_key ^ id) + update_count * 0xD6E8FEB86659FD93ULL)) {}

  [[gnu::always_inline]] [[nodiscard]] std::uint32_t bits(std::uint32_t element) const {
    return start_ + element * step_;
  }

  // The words of eight elements, starting with that one.
  [[gnu::always_inline]] [[nodiscard]] Words eight_from(std::uint32_t element) const {
    return first_eight() + element * step_;
  }
  // Those of the first eight, and what takes them to the next eight.
  [[gnu::always_inline]] [[nodiscard]] Words first_eight() const {
    return Words{0, 1, 2, 3, 4, 5, 6, 7} * step_ + start_;
  }
  [[gnu::always_inline]] [[nodiscard]] Words to_next_eight() const { return all_lanes<Words>(8 * step_); }

 private:
  explicit RoundingStream(std::uint64_t key)
      : start_(static_cast<std::uint32_t>(key)), step_(static_cast<std::uint32_t>(key >> 32) | 1U) {}

  std::uint32_t start_;
  std::uint32_t step_;  // odd: no word repeats within a row
};

}  // namespace persia::table
