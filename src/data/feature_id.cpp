#include "data/feature_id.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"

namespace persia::data {

FeatureId string_id(std::string_view text, std::uint64_t table_salt) {
  const FeatureId id(hash_bytes(text, table_salt));
  return id == kMissingId ? FeatureId(id.value() + 1) : id;
}

std::string feature_id_text(FeatureId id, config::CategoryType type) {
  if (id == kMissingId) return "(blank)";
  switch (type) {
    case config::CategoryType::integer:
      return fmt::format("{}", static_cast<std::int64_t>(id.value()));
    case config::CategoryType::unsigned_integer:
      return fmt::format("{}", id.value());
    case config::CategoryType::string:
      break;
  }
  return fmt::format("#{:016x}", id.value());
}

}  // namespace persia::data
