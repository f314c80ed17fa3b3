// Reads the body of a lookup message (wire/records.hpp) without believing it: bad counts are an Error naming
// the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/strong.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"

namespace persia::serve {

struct LookupRequest {
  Step step;
  table::Purpose purpose = table::Purpose::train;
  wire::ValueFormat values = wire::ValueFormat::fp32;
  std::vector<std::span<const FeatureId>> ids;   // by table; point into the message or `unpacked`
  std::vector<std::span<const FeatureId>> kept;  // the same of rows that the client has; or empty
  std::vector<FeatureId> unpacked;
};

// Pre: `message` lives as long as the result. `num_tables` is what this owner has.
[[nodiscard]] LookupRequest read_lookup(const mail::Message& message, std::size_t num_tables);

// The values of a gradient message, a block for each table of the lookup, and the step and the trainer they
// belong to.
struct GradientMessage {
  Step step;
  std::int32_t trainer = 0;
  std::span<const float> values;  // point into the message or `decoded`
  std::vector<float> decoded;
};
// `blocks`: the rows that each table's lookup had.
[[nodiscard]] GradientMessage read_gradient(const mail::Message& message,
                                            std::span<const wire::Block> blocks);

}  // namespace persia::serve
