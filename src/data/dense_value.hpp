// One dense column's text to the number that the network sees.
//
// none: x.  log1p: sign(x) log(1 + |x|).  standardise: (x - mean) scale; a whole number has the mean taken
// away before anything is rounded, so that neighbouring times of 1.7e18 ns stay apart.
// A blank is 0 after the transform (for standardise that is the mean). Every result is finite: a number that
// 32-bit floats do not hold is a fault, before the transform and after it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "config/run_file.hpp"
#include "data/number.hpp"

namespace persia::data {

class DenseReader {
 public:
  // Criteo's integer columns take whole numbers only.
  DenseReader(config::Transform transform, bool whole_numbers_only, double mean, double scale);

  // The number, or what is wrong with it ("'abc' is not a number"). Pre: not blank.
  [[nodiscard]] std::variant<Number, std::string> read(std::string_view text) const;
  // May be infinite for standardise when scale is large; the caller refuses that.
  [[nodiscard]] float transform(const Number& number) const;

 private:
  [[nodiscard]] double standardise(const Number& number) const;

  config::Transform transform_;
  bool whole_numbers_only_;
  double mean_;
  double scale_;
  std::int64_t mean_whole_ = 0;  // mean = mean_whole + mean_rest where it is within 63 bits
  double mean_rest_ = 0;
};

[[nodiscard]] inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

}  // namespace persia::data
