#include "serve/overlap_meter.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace persia::serve {

namespace {

// Distinct for all rows of an owner: shards are below 16.
std::uint64_t place_of(std::size_t table, table::Row row) {
  return (std::uint64_t{table} << 36) | (std::uint64_t{row.shard} << 32) | row.slot.value();
}

}  // namespace

bool OverlapMeter::is_sampled(std::size_t table, table::Row row) {
  // The leading bits of a product by an odd constant spread consecutive places evenly.
  return (place_of(table, row) * 0x9E3779B97F4A7C15U) >> 56 == 0x5A && !row.absent();
}

void OverlapMeter::open(TokenKey token, std::size_t table, std::span<const table::Row> rows) {
  for (const table::Row& row : rows) {
    if (!is_sampled(table, row)) continue;
    Watched& watched = watched_[place_of(table, row)];
    watched.open.emplace_back(token, watched.updates.size());
  }
}

void OverlapMeter::apply(TokenKey token, std::int32_t trainer, std::size_t table,
                         std::span<const table::Row> rows) {
  for (const table::Row& row : rows) {
    if (!is_sampled(table, row)) continue;
    const std::uint64_t place = place_of(table, row);
    Watched& watched = watched_.at(place);
    const std::size_t begin = leave(watched, token);
    const auto others =
        std::count_if(watched.updates.begin() + static_cast<std::ptrdiff_t>(begin), watched.updates.end(),
                      [&](std::int32_t one) { return one != trainer; });
    const std::size_t bin = std::min(static_cast<std::size_t>(others), kMostCounted);
    if (bin >= histogram_.size()) histogram_.resize(bin + 1);
    ++histogram_[bin];
    watched.updates.push_back(trainer);
    forget_old(place, watched);
  }
}

void OverlapMeter::cancel(TokenKey token, std::size_t table, std::span<const table::Row> rows) {
  for (const table::Row& row : rows) {
    if (!is_sampled(table, row)) continue;
    const std::uint64_t place = place_of(table, row);
    Watched& watched = watched_.at(place);
    (void)leave(watched, token);
    forget_old(place, watched);
  }
}

std::size_t OverlapMeter::leave(Watched& watched, TokenKey token) {
  const auto own = std::ranges::find(watched.open, token, &std::pair<TokenKey, std::size_t>::first);
  expects(own != watched.open.end(), "a token closes rows that it has looked up");
  const std::size_t begin = own->second;
  watched.open.erase(own);
  return begin;
}

// Updates that no open token counts any more. A hot row is never without one, so they are dropped now and
// then.
void OverlapMeter::forget_old(std::uint64_t place, Watched& watched) {
  if (watched.open.empty()) {
    watched_.erase(place);
    return;
  }
  if (watched.updates.size() < 1024) return;
  std::size_t oldest = watched.updates.size();
  for (const auto& [token, begin] : watched.open) oldest = std::min(oldest, begin);
  watched.updates.erase(watched.updates.begin(),
                        watched.updates.begin() + static_cast<std::ptrdiff_t>(oldest));
  for (auto& [token, begin] : watched.open) begin -= oldest;
}

}  // namespace persia::serve
