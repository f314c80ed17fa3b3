#include "embed/row_reuse.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace persia::embed {

namespace {

void append(std::vector<Run>& runs, Run run) {
  if (!runs.empty() && runs.back().first + runs.back().count == run.first)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

void append(std::vector<RowSplit::Copy>& copies, RowSplit::Copy copy) {
  if (!copies.empty() && copies.back().to + copies.back().count == copy.to &&
      copies.back().from + copies.back().count == copy.from)
    copies.back().count += copy.count;
  else
    copies.push_back(copy);
}

}  // namespace

std::vector<OwnerPart> parts_of(const RowSplit& split, const config::Schema& schema, std::int32_t owner,
                                Rows which) {
  const std::size_t num_tables = schema.tables.size();
  std::vector<OwnerPart> parts;
  for (std::size_t t = 0; t < num_tables; ++t) {
    const RowShare& share = split.shares[static_cast<std::size_t>(owner) * num_tables + t];
    std::span<const FeatureId> ids(share.ids);
    std::span<const Run> runs(share.runs);
    if (which == Rows::asked) {
      ids = ids.first(share.num_asked);
      runs = runs.first(share.num_asked_runs);
    } else if (which == Rows::kept) {
      ids = ids.subspan(share.num_asked);
      runs = runs.subspan(share.num_asked_runs);
    }
    const auto dim = static_cast<std::size_t>(schema.tables[t].table.dim);
    parts.push_back({.ids = ids, .block = {ids.size(), dim}, .first_float = 0, .runs = runs});
  }
  return parts;
}

RowReuse::RowReuse(const config::Schema& schema, std::int32_t num_owners, std::int32_t bound)
    : schema_(schema),
      num_owners_(static_cast<std::size_t>(num_owners)),
      bound_(bound),
      last_(num_owners_ * schema.tables.size()) {}

RowSplit RowReuse::split(const LookupPlan& plan, std::int32_t missing) {
  RowSplit split{.shares = std::vector<RowShare>(last_.size()), .copies = {}, .missing = missing};
  const std::size_t num_tables = schema_.tables.size();
  for (std::size_t owner = 0; owner < num_owners_; ++owner) {
    const std::vector<OwnerPart> parts = parts_of(plan, schema_, static_cast<std::int32_t>(owner));
    for (std::size_t table = 0; table < num_tables; ++table)
      split_share(parts[table], owner * num_tables + table, missing, split);
  }
  return split;
}

void RowReuse::split_share(const OwnerPart& part, std::size_t place, std::int32_t missing, RowSplit& split) {
  const std::size_t dim = part.block.dim;
  const Last& before = last_[place];
  Last now{.ids = {part.ids.begin(), part.ids.end()},
           .missing = std::vector<std::int32_t>(part.ids.size(), missing),
           .first = part.first_float};
  RowShare share;
  std::vector<FeatureId> kept_ids;
  std::vector<Run> kept_runs;
  std::size_t b = 0;
  for (std::size_t i = 0; i < now.ids.size(); ++i) {
    while (b < before.ids.size() && before.ids[b] < now.ids[i]) ++b;
    const Run run{now.first + i * dim, dim};
    const bool shared = b < before.ids.size() && before.ids[b] == now.ids[i];
    if (shared && before.missing[b] < bound_) {
      now.missing[i] = before.missing[b] + 1;
      split.missing = std::max(split.missing, now.missing[i]);
      kept_ids.push_back(now.ids[i]);
      append(kept_runs, run);
      append(split.copies, {.to = run.first, .from = before.first + b * dim, .count = dim});
    } else {
      share.ids.push_back(now.ids[i]);
      append(share.runs, run);
    }
  }
  share.num_asked = share.ids.size();
  share.num_asked_runs = share.runs.size();
  share.ids.insert(share.ids.end(), kept_ids.begin(), kept_ids.end());
  share.runs.insert(share.runs.end(), kept_runs.begin(), kept_runs.end());
  split.shares[place] = std::move(share);
  last_[place] = std::move(now);
}

void RowReuse::complete(const RowSplit& split, std::vector<float>& rows) {
  for (const RowSplit::Copy& copy : split.copies)
    std::memcpy(rows.data() + copy.to, last_rows_.data() + copy.from, copy.count * sizeof(float));
  last_rows_ = rows;
}

}  // namespace persia::embed
