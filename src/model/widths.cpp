#include "model/widths.hpp"

#include "base/error.hpp"

namespace persia::model {

std::vector<std::int64_t> layer_widths(std::string_view key, const std::vector<std::int32_t>& hidden,
                                       std::int64_t last) {
  std::vector<std::int64_t> widths;
  for (const std::int32_t width : hidden) {
    require_user(width >= 1, "{} has a layer of width {}; widths are at least 1", key, width);
    widths.push_back(width);
  }
  widths.push_back(last);
  return widths;
}

}  // namespace persia::model
