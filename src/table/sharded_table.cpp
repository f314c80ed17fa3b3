#include "table/sharded_table.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/thread_team.hpp"
#include "config/learning_rate.hpp"
#include "table/rules.hpp"

namespace persia::table {

namespace {

// Below this, sharing the work takes longer than doing it.
constexpr std::size_t kMinRowsToShare = 1024;

}  // namespace

ShardedTable::ShardedTable(const config::TableSchema& schema, const TableOptions& options)
    : parts_(schema, options), team_(options.team), alone_(parts_, 0, 1) {
  guard_memory([&] {
    for (std::uint32_t s = 0; s < kInnerShards; ++s)
      parts_.shards.emplace_back(parts_.arena, parts_.layout.row_bytes, schema.salt, s);
  });
  const auto sharing =
      team_ == nullptr ? 1 : std::min<std::uint32_t>(kInnerShards, static_cast<std::uint32_t>(team_->size()));
  for (std::uint32_t k = 0; sharing > 1 && k < sharing; ++k) sharers_.emplace_back(parts_, k, sharing);
}

bool ShardedTable::shares(std::size_t num_rows) const {
  return !sharers_.empty() && num_rows >= kMinRowsToShare;
}

template <class Work>
void ShardedTable::share(std::size_t num_rows, const Work& work) {
  guard_memory([&] {
    if (!shares(num_rows)) return work(alone_, std::size_t{0});
    team_->run([&](std::int32_t thread) {
      const auto k = static_cast<std::size_t>(thread);
      if (k < sharers_.size()) work(sharers_[k], k);
    });
  });
}

template <class Work>
void ShardedTable::share_parts(std::size_t num_rows, const Work& work) {
  const std::size_t count = shares(num_rows) ? sharers_.size() : 1;
  share(num_rows, [&](ShardWorker& worker, std::size_t k) { work(worker, part_of(num_rows, k, count)); });
}

void ShardedTable::lookup(std::span<const FeatureId> ids, Purpose purpose, std::span<float> values,
                          std::span<Row> rows, Moment when) {
  expects(
      values.size() == ids.size() * static_cast<std::size_t>(parts_.layout.dim) && rows.size() == ids.size(),
      "values (n, dim) and rows (n) fit the ids");
  if (purpose == Purpose::train) {
    parts_.eviction.pass(when, parts_.clock(), paused_);
    looked_up_ += std::ssize(ids);
  }
  paused_ = purpose == Purpose::evaluate;
  const LookupBatch batch{ids, purpose, values, rows, when};
  if (shares(ids.size()) && !parts_.eviction.on()) return lookup_in_parts(batch);
  share(ids.size(), [&](ShardWorker& worker, std::size_t) { worker.lookup(batch); });
  if (parts_.cold) fetch_cold(batch);
}

// Rows of a shard are added in the order of the batch, as one thread does it. Where rows go, that order
// counts for those that are found too.
void ShardedTable::lookup_in_parts(const LookupBatch& batch) {
  const auto dim = static_cast<std::size_t>(parts_.layout.dim);
  share_parts(batch.ids.size(), [&](ShardWorker& worker, Part part) {
    worker.find({batch.ids.subspan(part.first, part.size), batch.purpose,
                 batch.values.subspan(part.first * dim, part.size * dim),
                 batch.rows.subspan(part.first, part.size), batch.when},
                part.first);
  });
  if (std::ranges::all_of(sharers_, [](const ShardWorker& part) { return part.missing().empty(); })) return;
  share(batch.ids.size(), [&](ShardWorker& worker, std::size_t) {
    for (const ShardWorker& part : sharers_) worker.look_further(batch, part.missing());
  });
}

// All workers' rows at once, so that as many reads as possible are under way together.
void ShardedTable::fetch_cold(const LookupBatch& batch) {
  std::vector<ColdRead> reads;
  const auto each_worker = [&](const auto& f) {
    f(alone_);
    for (ShardWorker& sharer : sharers_) f(sharer);
  };
  each_worker([&](ShardWorker& worker) {
    const std::span<const ColdRead> own = worker.cold_reads();
    reads.insert(reads.end(), own.begin(), own.end());
  });
  if (reads.empty()) return;
  guard_memory([&] { parts_.cold->read(reads, batch.purpose == Purpose::train ? Keep::no : Keep::yes); });
  each_worker([&](ShardWorker& worker) { worker.finish_cold(batch); });
}

void ShardedTable::update(std::span<const Row> rows, std::span<const float> gradients, Step step) {
  expects(gradients.size() == rows.size() * static_cast<std::size_t>(parts_.layout.dim),
          "gradients (n, dim) fit the rows");
  parts_.arguments.learning_rate = static_cast<float>(config::rate_at(parts_.schema.table.optimizer, step));
  const auto dim = static_cast<std::size_t>(parts_.layout.dim);
  share_parts(rows.size(), [&](ShardWorker& worker, Part part) {
    worker.update(
        {rows.subspan(part.first, part.size), gradients.subspan(part.first * dim, part.size * dim)});
  });
  note_non_finite();
}

// The first one in the order of the batch: workers have its parts in their order.
void ShardedTable::note_non_finite() {
  if (first_non_finite_) return;
  first_non_finite_ = alone_.first_non_finite();
  for (const ShardWorker& sharer : sharers_)
    if (!first_non_finite_) first_non_finite_ = sharer.first_non_finite();
  if (!first_non_finite_) return;
  log::warn(
      "table '{}': the gradient of id {} is not finite; the row is left as it was. Later ones are only "
      "counted.",
      parts_.schema.name, first_non_finite_->value());
}

TableStatistics ShardedTable::statistics() const {
  TableStatistics result;
  for (const InnerShard& shard : parts_.shards) {
    result.rows += shard.rows();
    result.index_bytes += shard.index_bytes();
    result.resident_bytes += shard.touched_bytes();
  }
  if (!parts_.arena.small()) result.resident_bytes = parts_.arena.resident_bytes();
  for (const Sightings& seen : parts_.admission.seen()) result.resident_bytes += seen.bytes();
  const ShardWorker::Counts counted = counts();
  result.unseen = counted.unseen;
  result.not_admitted = counted.not_admitted;
  result.non_finite = counted.non_finite;
  result.first_non_finite = first_non_finite_;
  if (parts_.cold)
    add_cold(counted, result);
  else
    result.evicted = counted.evicted;
  return result;
}

// What went from memory was not forgotten.
void ShardedTable::add_cold(const ShardWorker::Counts& counted, TableStatistics& result) const {
  result.disk_rows = parts_.cold->rows();
  result.disk_bytes = parts_.cold->file_bytes();
  result.rows += result.disk_rows;
  result.resident_bytes += parts_.cold->memory_bytes();
  result.found_on_disk = counted.found_on_disk;
  result.found_in_memory = looked_up_ - counted.added - counted.not_admitted;
}

ShardWorker::Counts ShardedTable::counts() const {
  ShardWorker::Counts sum = alone_.counts();
  for (const ShardWorker& sharer : sharers_) sum += sharer.counts();
  return sum;
}

void ShardedTable::fail_out_of_memory(std::size_t bytes) const {
  const TableStatistics now = statistics();
  fail(
      "table '{}' holds {} rows in {} bytes and cannot get {} bytes more from the system; use more embedding "
      "ranks, a "
      "smaller dim or a half precision",
      parts_.schema.name, now.rows, now.resident_bytes, bytes);
}

std::unique_ptr<Table> make_table(const config::TableSchema& schema, const TableOptions& options) {
  return std::make_unique<ShardedTable>(schema, options);
}

std::vector<std::string> state_names(const config::Table& table) {
  std::vector<std::string> names;
  visit_rule(table.optimizer.type, [&]<class Rule>() {
    names.assign(Rule::element_states.begin(), Rule::element_states.end());
    names.insert(names.end(), Rule::row_states.begin(), Rule::row_states.end());
  });
  const RowLayout layout = make_row_layout(table);
  if (layout.counts_updates) names.emplace_back("count");
  if (layout.has_scale) names.emplace_back("scale");
  if (layout.usage_floats > 0) names.emplace_back("last_use");
  if (layout.usage_floats > 1) names.emplace_back("uses");
  return names;
}

}  // namespace persia::table
