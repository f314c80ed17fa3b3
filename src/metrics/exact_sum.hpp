// Sums that do not depend on the order of their terms: 128-bit fixed point in units of 2^-52.
//
// Every term is rounded once to the unit, then integers are added. Room for 2^35 terms of the largest size.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace persia::metrics {

class ExactSum {
 public:
  static constexpr double largest_term = 0x1p40;

  // Pre: 0 <= term <= largest_term.
  void add(double term) {
    // Whole part and fraction apart: each fits 64 bits, and both conversions are exact.
    const double whole = std::floor(term);
    total_ += (static_cast<unsigned __int128>(whole) << 52) +
              static_cast<std::uint64_t>(std::nearbyint((term - whole) * 0x1p52));
  }

  // The total as four numbers below 2^32, so that totals of up to 2^31 ranks are added in 64-bit integers.
  [[nodiscard]] std::array<std::int64_t, 4> digits() const {
    std::array<std::int64_t, 4> result{};
    for (int i = 0; i < 4; ++i)
      result[static_cast<std::size_t>(i)] =
          static_cast<std::int64_t>(static_cast<std::uint32_t>(total_ >> (32 * i)));
    return result;
  }
  [[nodiscard]] static ExactSum from_digits(const std::array<std::int64_t, 4>& digits) {
    ExactSum sum;
    for (int i = 3; i >= 0; --i)
      sum.total_ = (sum.total_ << 32) + static_cast<std::uint64_t>(digits[static_cast<std::size_t>(i)]);
    return sum;
  }

  [[nodiscard]] double value() const { return static_cast<double>(total_) * 0x1p-52; }

 private:
  unsigned __int128 total_ = 0;
};

}  // namespace persia::metrics
