// Widths of hidden layers as the run file gives them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace persia::model {

// `hidden` followed by `last`. UserError naming `key` ("model.hidden") if a width is below 1.
[[nodiscard]] std::vector<std::int64_t> layer_widths(std::string_view key,
                                                     const std::vector<std::int32_t>& hidden,
                                                     std::int64_t last);

}  // namespace persia::model
