#include "embed/owner_part.hpp"

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
                     .first_float = static_cast<std::size_t>(plan.row_begin[t]) + begin * dim});
  }
  return parts;
}

}  // namespace persia::embed
