// How the state columns of a checkpoint become those of a table: the optimizer's are the same, those of
// eviction (last_use, uses) may have come or gone with it in the run file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/strong.hpp"

namespace persia::checkpoint {

// Where the scale of a row stands among its state numbers: it and what comes after it are one number each.
// `stored` and `width` as below. UserError if there is none.
[[nodiscard]] std::size_t scale_column(const std::string& table, const std::string& stored,
                                       std::size_t width);

class StateColumns {
 public:
  // `stored`: the names in the file, separated by commas, and the width of its array. `wanted`: the table's
  // names. `step`: the checkpoint's. UserError if the optimizer's columns differ.
  StateColumns(const std::string& table, const std::string& stored, std::int64_t stored_width,
               const std::vector<std::string>& wanted, Step step);

  // What a table keeps of rows of a file. A row whose use was not noted counts as used once, at `step`.
  // Shape: state (num_rows, stored width) -> (num_rows, width()).
  [[nodiscard]] std::vector<float> convert(std::vector<float> state, std::int64_t num_rows) const;
  [[nodiscard]] std::int64_t width() const;

 private:
  struct Usage {
    bool last_use;
    bool uses;
    [[nodiscard]] std::int64_t width() const { return (last_use ? 1 : 0) + (uses ? 1 : 0); }
    bool operator==(const Usage&) const = default;
  };
  // Takes the eviction's columns off the end of `names`.
  static Usage take_usage(std::vector<std::string>& names);

  Usage stored_;
  Usage wanted_;
  std::int64_t optimizer_floats_;
  float step_;
};

}  // namespace persia::checkpoint
