#include "data/label_value.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace persia::data {

namespace {

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

std::optional<float> LabelReader::read(std::string_view text) const {
  if (column_.positive.empty() && column_.negative.empty()) {
    if (text == "1" || text == "1.0") return 1.0F;
    if (text == "0" || text == "0.0") return 0.0F;
    return std::nullopt;
  }
  if (contains(column_.positive, text)) return 1.0F;
  if (contains(column_.negative, text)) return 0.0F;
  return std::nullopt;
}

std::string LabelReader::expected() const {
  if (column_.positive.empty() && column_.negative.empty()) return "0 or 1";
  std::vector<std::string> texts = column_.positive;
  texts.insert(texts.end(), column_.negative.begin(), column_.negative.end());
  return fmt::format("one of '{}'", fmt::join(texts, "', '"));
}

}  // namespace persia::data
