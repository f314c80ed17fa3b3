// The world behind generated Criteo-format rows: which values appear, and how they make a label likely.
//
// Ids of a column are Zipf distributed over its cardinality; a blank is one id more. Integers are skewed like
// counts, and in a few columns sometimes -1 or -2. The logit of a row is
//   bias + scale (sum over columns of the id's effect + sum over some pairs of columns of the dot product of
//   two latent vectors + sum over integer columns of weight x sign log1p of the value, 0 for a blank).
// Effects and latent vectors are pure functions of (seed, column, id); rows of (seed, row number). scale and
// bias are set on a sample of rows so that the logit's deviation and the share of positives are the same for
// any seed and size: the teacher's AUC is then about 0.84.
// Thread safety: const after construction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/alias_table.hpp"
#include "data/generate.hpp"

namespace persia::data {

inline constexpr std::size_t kCriteoIntegers = 13;
inline constexpr std::size_t kCriteoCategories = 26;

struct CriteoRow {
  std::array<std::int64_t, kCriteoIntegers> integers{};
  std::array<bool, kCriteoIntegers> integer_blank{};
  std::array<std::uint32_t, kCriteoCategories> ids{};  // from 0; the column's cardinality stands for a blank
  double logit = 0;
  bool positive = false;
};

class CriteoTeacher {
 public:
  explicit CriteoTeacher(const GenerateOptions& options);

  // Cost: about 1 microsecond.
  [[nodiscard]] CriteoRow draw(std::int64_t row_number) const;
  [[nodiscard]] std::int64_t cardinality(std::size_t column) const { return columns_[column].cardinality; }
  // Number of the id over all columns, for texts that are distinct.
  [[nodiscard]] std::uint32_t global_id(std::size_t column, std::uint32_t id) const {
    return columns_[column].first_global_id + id;
  }

 private:
  static constexpr std::size_t kRank = 2;  // of the interactions
  struct Column {
    std::int64_t cardinality = 0;
    std::uint32_t first_global_id = 0;
    AliasTable ids{{1.0}};
    std::vector<float> effect;                     // (cardinality + 1)
    std::vector<std::array<float, kRank>> latent;  // (cardinality + 1) for columns with a partner
  };

  Column make_column(std::size_t column, std::uint32_t first_global_id, const GenerateOptions& options) const;
  void draw_values(std::uint64_t row, CriteoRow& out) const;
  [[nodiscard]] double raw_logit(const CriteoRow& row) const;
  void calibrate();

  std::uint64_t seed_;
  std::uint64_t blank_below_ = 0;  // a field is blank if 64 random bits are below this
  std::vector<Column> columns_;
  double scale_ = 1;
  double bias_ = 0;
};

}  // namespace persia::data
