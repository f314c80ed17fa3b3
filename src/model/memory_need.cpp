#include "model/memory_need.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "base/memory_size.hpp"

namespace persia::model {

namespace {

// What is kept for each parameter, at least: its value and its gradient.
constexpr double kBytes = 2 * sizeof(float);

std::string_view key_of(const LayerSummary& layer) {
  if (layer.name.starts_with("mlp.")) return "model.hidden";
  if (layer.name.starts_with("bottom.")) return "model.bottom";
  if (layer.name.starts_with("top.")) return "model.top";
  return "data.dense";
}

}  // namespace

void require_memory(const std::vector<LayerSummary>& layers, std::int64_t memory_bytes) {
  double bytes = 0;
  for (const LayerSummary& layer : layers) bytes += kBytes * static_cast<double>(layer.parameters);
  if (memory_bytes == 0 || bytes <= static_cast<double>(memory_bytes)) return;
  const auto largest = std::ranges::max_element(layers, {}, &LayerSummary::parameters);
  fail_user(
      "the parameters and gradients of the network take {}, this machine has {} of memory; the largest layer "
      "is "
      "{} with {} inputs and {} outputs, {}: make {} narrower",
      memory_text(bytes), memory_text(static_cast<double>(memory_bytes)), largest->name, largest->in,
      largest->out, memory_text(kBytes * static_cast<double>(largest->parameters)), key_of(*largest));
}

}  // namespace persia::model
