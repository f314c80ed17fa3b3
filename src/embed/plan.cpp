#include "embed/plan.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/cast.hpp"
#include "base/hash.hpp"
#include "roles/teams.hpp"

namespace persia::embed {

namespace {

// Numbers distinct ids in the order of their first sight. Open addressing, linear probing, half full at most.
class Uniquer {
 public:
  explicit Uniquer(std::size_t max_ids) : mask_(std::bit_ceil(std::max<std::size_t>(16, 2 * max_ids)) - 1) {
    place_.assign(mask_ + 1, kEmpty);
  }

  std::int32_t number_of(FeatureId id) {
    std::size_t at = mix64(id.value()) & mask_;
    while (place_[at] != kEmpty) {
      if (ids_[static_cast<std::size_t>(place_[at])] == id) return place_[at];
      at = (at + 1) & mask_;
    }
    place_[at] = static_cast<std::int32_t>(ids_.size());
    ids_.push_back(id);
    return place_[at];
  }

  [[nodiscard]] const std::vector<FeatureId>& ids() const { return ids_; }

 private:
  static constexpr std::int32_t kEmpty = -1;
  std::size_t mask_;
  std::vector<std::int32_t> place_;
  std::vector<FeatureId> ids_;
};

// Sorts ids by (owner, id). Returns for each first-seen number its place in the sorted order.
std::vector<std::int32_t> order_by_owner(const std::vector<FeatureId>& ids, std::uint64_t salt,
                                         std::int32_t num_owners, TablePlan& table) {
  struct Keyed {
    std::int32_t owner;
    std::int32_t number;
    FeatureId id;
  };
  std::vector<Keyed> keyed(ids.size());
  table.owner_begin.assign(static_cast<std::size_t>(num_owners) + 1, 0);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const OwnerIndex owner = roles::owner_of(place_hash(ids[k], salt), num_owners);
    keyed[k] = {owner.value(), static_cast<std::int32_t>(k), ids[k]};
    ++table.owner_begin[static_cast<std::size_t>(owner.value()) + 1];
  }
  std::partial_sum(table.owner_begin.begin(), table.owner_begin.end(), table.owner_begin.begin());
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    return a.owner != b.owner ? a.owner < b.owner : a.id < b.id;
  });
  std::vector<std::int32_t> place_of_number(ids.size());
  table.ids.reserve(ids.size());
  for (std::size_t place = 0; place < keyed.size(); ++place) {
    place_of_number[static_cast<std::size_t>(keyed[place].number)] = static_cast<std::int32_t>(place);
    table.ids.push_back(keyed[place].id);
  }
  return place_of_number;
}

std::vector<std::size_t> columns_of(const config::Schema& schema, std::size_t table) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    if (static_cast<std::size_t>(schema.columns[c].table.value()) == table) columns.push_back(c);
  return columns;
}

}  // namespace

LookupPlan make_plan(const data::Batch& batch, const config::Schema& schema, std::int32_t num_owners) {
  LookupPlan plan;
  plan.tables.resize(schema.tables.size());
  plan.row_of_entry.resize(schema.columns.size());
  plan.row_begin.resize(schema.tables.size());
  for (std::size_t t = 0; t < schema.tables.size(); ++t) {
    const std::vector<std::size_t> columns = columns_of(schema, t);
    std::size_t entries = 0;
    for (const std::size_t c : columns) entries += batch.columns[c].ids.size();
    (void)checked_cast<std::int32_t>(entries);

    Uniquer uniquer(entries);
    for (const std::size_t c : columns) {
      const std::vector<FeatureId>& ids = batch.columns[c].ids;
      plan.row_of_entry[c].resize(ids.size());
      std::transform(ids.begin(), ids.end(), plan.row_of_entry[c].begin(),
                     [&](FeatureId id) { return uniquer.number_of(id); });
    }
    const std::vector<std::int32_t> place =
        order_by_owner(uniquer.ids(), schema.tables[t].salt, num_owners, plan.tables[t]);
    for (const std::size_t c : columns)
      for (std::int32_t& row : plan.row_of_entry[c]) row = place[static_cast<std::size_t>(row)];

    plan.row_begin[t] = plan.num_floats;
    plan.num_floats += static_cast<std::int64_t>(place.size()) * schema.tables[t].table.dim;
  }
  return plan;
}

}  // namespace persia::embed
