// Mean and standard deviation in one pass (Welford), exact enough for times of 1.7e18 nanoseconds.
//
// The first value is taken away from all others before anything is rounded: for whole numbers that difference
// is exact, and what is summed is as small as the column's spread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "data/number.hpp"

namespace persia::data {

class RunningMoments {
 public:
  void add(const Number& number) {
    if (count_ == 0) first_ = number;
    ++count_;
    const long double x = distance(number);
    const long double step = x - mean_;
    mean_ += step / static_cast<long double>(count_);
    squares_ += step * (x - mean_);
    largest_ = std::max(largest_, std::fabs(number.real));
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double mean() const {
    const long double origin = first_.is_integer ? static_cast<long double>(first_.integer) : first_.real;
    return static_cast<double>(origin + mean_);
  }
  // Of the population; 0 without values.
  [[nodiscard]] double deviation() const {
    return count_ == 0 ? 0.0 : static_cast<double>(std::sqrt(squares_ / static_cast<long double>(count_)));
  }
  // Largest magnitude.
  [[nodiscard]] double largest() const { return largest_; }

 private:
  [[nodiscard]] long double distance(const Number& number) const {
    if (number.is_integer && first_.is_integer)
      return static_cast<long double>(static_cast<__int128>(number.integer) - first_.integer);
    return static_cast<long double>(number.real) - first_.real;
  }

  std::int64_t count_ = 0;
  Number first_;
  long double mean_ = 0;     // of the distances to the first value
  long double squares_ = 0;  // sum of squared distances to the mean
  double largest_ = 0;
};

}  // namespace persia::data
