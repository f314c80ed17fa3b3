#include "embed/owner_part.hpp"

#include <algorithm>

namespace persia::embed {

std::vector<OwnerPart> parts_of(const LookupPlan& plan, const config::Schema& schema, std::int32_t owner) {
  const auto o = static_cast<std::size_t>(owner);
  std::vector<OwnerPart> parts;
  parts.reserve(plan.tables.size());
  for (std::size_t t = 0; t < plan.tables.size(); ++t) {
    const TablePlan& table = plan.tables[t];
    const auto begin = static_cast<std::size_t>(table.owner_begin[o]);
    const auto end = static_cast<std::size_t>(table.owner_begin[o + 1]);
    const auto dim = static_cast<std::size_t>(schema.tables[t].table.dim);
    parts.push_back({.ids = std::span(table.ids).subspan(begin, end - begin),
                     .block = {end - begin, dim},
                     .first_float = static_cast<std::size_t>(plan.row_begin[t]) + begin * dim,
                     .runs = {}});
  }
  return parts;
}

std::span<const float> gathered(const OwnerPart& part, std::span<const float> row_buffer,
                                std::vector<float>& scratch) {
  if (part.runs.empty()) return row_buffer.subspan(part.first_float, part.block.num_values());
  scratch.clear();
  part.for_each_run([&](std::size_t first, std::size_t count) {
    const std::span<const float> run = row_buffer.subspan(first, count);
    scratch.insert(scratch.end(), run.begin(), run.end());
  });
  return scratch;
}

std::span<float> room_for(const OwnerPart& part, std::span<float> row_buffer, std::vector<float>& scratch) {
  if (part.runs.empty()) return row_buffer.subspan(part.first_float, part.block.num_values());
  scratch.resize(part.block.num_values());
  return scratch;
}

void scatter(const OwnerPart& part, std::span<const float> values, std::span<float> row_buffer) {
  if (part.runs.empty()) return;
  std::size_t at = 0;
  part.for_each_run([&](std::size_t first, std::size_t count) {
    std::ranges::copy(values.subspan(at, count), row_buffer.subspan(first, count).begin());
    at += count;
  });
}

}  // namespace persia::embed
