#include "data/id_space.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "data/feature_id.hpp"

namespace persia::data {

namespace {

// Apart from what places a row in its table.
std::uint64_t hash_of_round(std::uint64_t id, std::uint64_t salt, std::uint64_t round) {
  return mix64(mix64(id + round * 0x9E3779B97F4A7C15ULL) ^ salt);
}

}  // namespace

IdSpace::IdSpace(const config::TableSchema& table)
    : name_(table.name),
      salt_(table.salt),
      num_ids_(static_cast<std::uint64_t>(table.table.num_ids)),
      on_bad_id_(table.table.on_bad_id),
      compose_(table.table.compose) {}

IdSpace::Fate IdSpace::admit(FeatureId& id) const {
  return num_ids_ == 0 || id.value() < num_ids_ ? Fate::good : beyond(id);
}

IdSpace::Fate IdSpace::beyond(FeatureId& id) const {
  if (on_bad_id_ == config::BadId::error) return Fate::refused;
  if (on_bad_id_ == config::BadId::count) return Fate::left_out;
  id = FeatureId(share_of_bits(hash_of_round(id.value(), salt_, 0), num_ids_));
  return Fate::hashed;
}

FeatureId IdSpace::bounded(FeatureId hash) const {
  return num_ids_ == 0 ? hash : FeatureId(share_of_bits(hash.value(), num_ids_));
}

void IdSpace::compose(std::vector<FeatureId>& ids, std::size_t begin) const {
  if (compose_.type == config::ComposeType::none) return;
  std::vector<FeatureId> rows;
  for (std::size_t i = begin; i < ids.size(); ++i) append_rows(ids[i], rows);
  ids.resize(begin);
  ids.insert(ids.end(), rows.begin(), rows.end());
}

void IdSpace::append_rows(FeatureId id, std::vector<FeatureId>& rows) const {
  const auto buckets = static_cast<std::uint64_t>(compose_.buckets);
  if (id == kMissingId) {
    rows.push_back(id);
  } else if (compose_.type == config::ComposeType::quotient_remainder) {
    rows.emplace_back(id.value() % buckets);
    rows.emplace_back(buckets + id.value() / buckets);
  } else {
    for (std::uint64_t round = 0; round < static_cast<std::uint64_t>(compose_.rounds); ++round)
      rows.emplace_back(round * buckets +
                        share_of_bits(hash_of_round(id.value(), salt_, round + 1), buckets));
  }
}

std::string IdSpace::refusal() const {
  return fmt::format("outside 0 to {} (num_ids of table '{}'); on_bad_id: count or hash takes such rows",
                     num_ids_ - 1, name_);
}

}  // namespace persia::data
