// A label's text to 0 or 1.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/run_file.hpp"

namespace persia::data {

class LabelReader {
 public:
  explicit LabelReader(config::LabelColumn column) : column_(std::move(column)) {}

  // nullopt: neither. The texts are those of the run file, or 0, 1, 0.0 and 1.0 where it gives none.
  [[nodiscard]] std::optional<float> read(std::string_view text) const;
  // "0 or 1", "one of '>50K', '<=50K'", for messages.
  [[nodiscard]] std::string expected() const;

 private:
  config::LabelColumn column_;
};

}  // namespace persia::data
