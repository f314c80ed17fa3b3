#include <fmt/format.h>

#include <iterator>

#include "config/names.hpp"
#include "model/model_factory.hpp"
#include "model/network.hpp"

namespace persia::model {

std::string describe_network(const config::Model& model, const config::Schema& schema) {
  constexpr auto row = "{:<12} {:<30} {:>8} {:>8} {:>14} {:>14}\n";
  std::string text = fmt::format("model {}: {} categorical columns, {} embedding values, {} dense columns\n",
                                 config::name_of(model.type), schema.columns.size(), schema.embedded_width,
                                 schema.num_dense());
  const auto out = std::back_inserter(text);
  fmt::format_to(out, row, "layer", "kind", "in", "out", "parameters", "multiply-adds");
  std::int64_t parameters = 0;
  std::int64_t linear = 0;
  std::int64_t other = 0;
  for (const LayerSummary& layer : make_model<float>(model, schema)->layers()) {
    fmt::format_to(out, row, layer.name, layer.kind, layer.in, layer.out, layer.parameters,
                   layer.multiply_adds);
    parameters += layer.parameters;
    (layer.is_linear ? linear : other) += layer.multiply_adds;
  }
  fmt::format_to(out, "{} parameters; multiply-adds per sample: {} in linear layers", parameters, linear);
  if (other > 0) fmt::format_to(out, ", {} in dot products", other);
  return text + "\n";
}

}  // namespace persia::model
