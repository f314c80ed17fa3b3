#include "data/dense_value.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace persia::data {

namespace {

constexpr std::int64_t kTabulated = 1024;

double signed_log1p(double x) {
  return std::copysign(std::log1p(std::fabs(x)), x);
}

// Counts are mostly small: their logarithms are computed once.
const std::array<float, kTabulated>& small_log1p() {
  static const std::array<float, kTabulated> table = [] {
    std::array<float, kTabulated> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(signed_log1p(double(i)));
    return values;
  }();
  return table;
}

bool fits_float(double value) {
  return std::fabs(value) <= double{std::numeric_limits<float>::max()};
}

}  // namespace

DenseReader::DenseReader(config::Transform transform, bool whole_numbers_only, double mean, double scale)
    : transform_(transform), whole_numbers_only_(whole_numbers_only), mean_(mean), scale_(scale) {
  if (std::fabs(mean) < 0x1.0p62) {
    mean_whole_ = static_cast<std::int64_t>(std::floor(mean));
    mean_rest_ = mean - static_cast<double>(mean_whole_);
  } else {
    mean_rest_ = mean;
  }
}

std::variant<Number, std::string> DenseReader::read(std::string_view text) const {
  if (whole_numbers_only_) {
    if (const std::optional<std::int64_t> whole = parse_signed(text))
      return Number{.real = static_cast<double>(*whole), .integer = *whole, .is_integer = true};
    return fmt::format("'{}' is not a whole number of 64 bits", text);
  }
  const std::optional<Number> number = parse_number(text);
  if (!number) return fmt::format("'{}' is not a number", text);
  if (!fits_float(number->real))
    return fmt::format("'{}' is not a finite 32-bit floating-point number", text);
  return *number;
}

double DenseReader::standardise(const Number& number) const {
  std::int64_t difference = 0;
  if (number.is_integer && !__builtin_sub_overflow(number.integer, mean_whole_, &difference))
    return (static_cast<double>(difference) - mean_rest_) * scale_;
  return (number.real - mean_) * scale_;
}

float DenseReader::transform(const Number& number) const {
  switch (transform_) {
    case config::Transform::none:
      return static_cast<float>(number.real);
    case config::Transform::log1p:
      if (number.is_integer && number.integer >= 0 && number.integer < kTabulated)
        return small_log1p()[static_cast<std::size_t>(number.integer)];
      return static_cast<float>(signed_log1p(number.real));
    case config::Transform::standardise:
      break;
  }
  const double value = standardise(number);
  return fits_float(value) ? static_cast<float>(value) : std::numeric_limits<float>::infinity();
}

}  // namespace persia::data
