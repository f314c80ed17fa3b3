#include "data/criteo_teacher.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"

namespace persia::data {

namespace {

// Cardinality of each column as a part of the largest one.
constexpr std::array<double, kCriteoCategories> kShares = {
    0.02,   0.03, 1.0, 0.1,   0.01, 0.001, 0.05,   0.01, 0.0004, 0.1,    0.05, 0.3,   0.03,
    0.0025, 0.05, 0.2, 0.001, 0.04, 0.02,  0.0005, 0.1,  0.0015, 0.0015, 0.05, 0.005, 0.03};
constexpr std::int64_t kSmallestCardinality = 4;

struct Pair {
  std::size_t left, right;
};
// Of columns with few values, so that pairs are seen often enough to be learnt.
constexpr std::array kPairs = {Pair{5, 16}, Pair{19, 21}, Pair{8, 22}};
constexpr double kPairWeight = 0.15;

// Influence of sign log1p(value), and the spread of the values themselves.
constexpr std::array<double, kCriteoIntegers> kIntegerWeights = {0.5,  -0.3, 0.0, 0.4,  -0.2, 0.0, 0.3,
                                                                 -0.4, 0.2,  0.6, -0.5, 0.0,  0.2};
constexpr double kTypicalLog = 1.0;  // of a count in column 1; grows with the column
constexpr double kSpreadLog = 1.2;

constexpr double kLogitDeviation = 1.7;
constexpr double kPositives = 0.25;
constexpr std::int64_t kCalibrationRows = 20000;
constexpr std::int64_t kFirstCalibrationRow = std::int64_t{1} << 50;  // no file has that many rows

enum Stream : std::uint64_t {
  value_stream = 1,
  blank_stream,
  label_stream,
  effect_stream = 100,
  latent_stream = 200
};

constexpr std::uint64_t kFieldsPerRow = 64;  // counters set aside for the fields of one row

// About normal, from 64 random bits: the sum of four uniform numbers.
double rough_normal(std::uint64_t bits) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>((bits >> (16 * i)) & 0xFFFF);
  return (sum / 65536.0 - 2.0) * std::numbers::sqrt3;
}

std::int64_t draw_count(std::size_t column, std::uint64_t bits) {
  if (column == 1 && (bits & 31) == 0) return (bits & 32) != 0 ? -1 : -2;
  const double typical = kTypicalLog + 0.25 * static_cast<double>(column);
  return static_cast<std::int64_t>(std::exp(typical + kSpreadLog * rough_normal(bits))) -
         (column == 8 ? 2 : 0);
}

double signed_log1p(std::int64_t value) {
  const auto x = static_cast<double>(value);
  return std::copysign(std::log1p(std::fabs(x)), x);
}

// Columns with many rare ids say less: what cannot be learnt from few rows would only blur the bound.
double effect_deviation(std::int64_t cardinality) {
  if (cardinality > 1000) return 0.1;
  return cardinality > 100 ? 0.25 : 0.7;
}

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

void check_options(const GenerateOptions& options) {
  require_user(options.cardinality >= kSmallestCardinality && options.cardinality <= 100'000'000,
               "the cardinality is {}; give 4 to 100000000", options.cardinality);
  require_user(options.zipf >= 0 && options.zipf <= 10, "the Zipf exponent is {}; give 0 to 10",
               options.zipf);
  require_user(options.blank >= 0 && options.blank <= 0.9, "the share of blanks is {}; give 0 to 0.9",
               options.blank);
}

}  // namespace

CriteoTeacher::CriteoTeacher(const GenerateOptions& options) : seed_(mix64(options.seed)) {
  check_options(options);
  blank_below_ = static_cast<std::uint64_t>(options.blank * 0x1.0p64);
  std::uint32_t first_global_id = 0;
  for (std::size_t c = 0; c < kCriteoCategories; ++c) {
    columns_.push_back(make_column(c, first_global_id, options));
    first_global_id += static_cast<std::uint32_t>(columns_.back().cardinality);
  }
  for (const Pair& pair : kPairs)
    for (const std::size_t c : {pair.left, pair.right}) {
      Column& column = columns_[c];
      for (std::uint64_t id = 0; id < column.effect.size(); ++id) {
        std::array<float, kRank>& latent = column.latent.emplace_back();
        for (std::size_t k = 0; k < kRank; ++k)
          latent[k] = static_cast<float>(random_normal(seed_, latent_stream + c, kRank * id + k));
      }
    }
  calibrate();
}

CriteoTeacher::Column CriteoTeacher::make_column(std::size_t column, std::uint32_t first_global_id,
                                                 const GenerateOptions& options) const {
  Column made;
  made.cardinality = std::max<std::int64_t>(
      kSmallestCardinality, std::llround(kShares[column] * static_cast<double>(options.cardinality)));
  made.first_global_id = first_global_id;
  made.ids = AliasTable(zipf_weights(made.cardinality, options.zipf));
  const double weight = effect_deviation(made.cardinality);
  for (std::uint64_t id = 0; id <= static_cast<std::uint64_t>(made.cardinality); ++id)
    made.effect.push_back(static_cast<float>(weight * random_normal(seed_, effect_stream + column, id)));
  return made;
}

void CriteoTeacher::draw_values(std::uint64_t row, CriteoRow& out) const {
  const std::uint64_t values = mix64(seed_ + value_stream) + row * kFieldsPerRow;
  const std::uint64_t blanks = mix64(seed_ + blank_stream) + row * kFieldsPerRow;
  for (std::size_t i = 0; i < kCriteoIntegers; ++i) {
    out.integer_blank[i] = mix64(blanks + i) < blank_below_;
    out.integers[i] = draw_count(i, mix64(values + i));
  }
  for (std::size_t c = 0; c < kCriteoCategories; ++c) {
    const std::size_t field = kCriteoIntegers + c;
    out.ids[c] = mix64(blanks + field) < blank_below_ ? static_cast<std::uint32_t>(columns_[c].cardinality)
                                                      : columns_[c].ids.draw(mix64(values + field));
  }
}

double CriteoTeacher::raw_logit(const CriteoRow& row) const {
  double logit = 0;
  for (std::size_t i = 0; i < kCriteoIntegers; ++i)
    if (!row.integer_blank[i]) logit += kIntegerWeights[i] * signed_log1p(row.integers[i]);
  for (std::size_t c = 0; c < kCriteoCategories; ++c) logit += double{columns_[c].effect[row.ids[c]]};
  for (const Pair& pair : kPairs) {
    const std::array<float, kRank>& left = columns_[pair.left].latent[row.ids[pair.left]];
    const std::array<float, kRank>& right = columns_[pair.right].latent[row.ids[pair.right]];
    for (std::size_t k = 0; k < kRank; ++k) logit += kPairWeight * double{left[k]} * double{right[k]};
  }
  return logit;
}

void CriteoTeacher::calibrate() {
  std::vector<double> logits;
  double sum = 0, squares = 0;
  CriteoRow row;
  for (std::int64_t i = 0; i < kCalibrationRows; ++i) {
    draw_values(static_cast<std::uint64_t>(kFirstCalibrationRow + i), row);
    logits.push_back(raw_logit(row));
    sum += logits.back();
    squares += logits.back() * logits.back();
  }
  const double mean = sum / kCalibrationRows;
  scale_ = kLogitDeviation / std::sqrt(std::max(squares / kCalibrationRows - mean * mean, 1e-12));
  double low = -scale_ * mean - 20, high = -scale_ * mean + 20;
  for (int i = 0; i < 60; ++i) {  // the share of positives grows with the bias
    bias_ = 0.5 * (low + high);
    double positives = 0;
    for (const double logit : logits) positives += sigmoid(bias_ + scale_ * logit);
    (positives / kCalibrationRows < kPositives ? low : high) = bias_;
  }
}

CriteoRow CriteoTeacher::draw(std::int64_t row_number) const {
  const auto number = static_cast<std::uint64_t>(row_number);
  CriteoRow row;
  draw_values(number, row);
  row.logit = bias_ + scale_ * raw_logit(row);
  row.positive = random_uniform(seed_, label_stream, number) < sigmoid(row.logit);
  return row;
}

}  // namespace persia::data
