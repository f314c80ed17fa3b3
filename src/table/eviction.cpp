#include "table/eviction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/hash.hpp"
#include "table/footprint.hpp"

namespace persia::table {

namespace {

constexpr std::uint32_t kSampled = 16;
constexpr int kTries = 4;  // samples of rows in use before a shard is let grow

// Usage floats.
constexpr std::int32_t kLastUse = 0;
constexpr std::int32_t kUses = 1;

// Exact below 2^24, and never out of order beyond.
float as_float(Step step) {
  return static_cast<float>(step.value());
}

}  // namespace

std::int64_t rows_per_shard(const config::Table& table, std::int32_t num_owners) {
  const config::Eviction& rules = table.eviction;
  if (rules.policy == config::EvictionPolicy::none) return 0;
  const auto shares = std::int64_t{num_owners} * kInnerShards;
  std::int64_t rows = rules.max_rows;
  if (rules.max_bytes > 0) {
    const std::int64_t held = rows_within(table, rules.max_bytes / num_owners) * num_owners;
    rows = rows > 0 ? std::min(rows, held) : held;
  }
  return (rows + shares - 1) / shares;
}

Eviction::Eviction(const config::Table& table, const RowLayout& layout, const Kernels& kernels,
                   std::int32_t num_owners)
    : rules_(table.eviction),
      layout_(layout),
      kernels_(kernels),
      rows_per_shard_(rows_per_shard(table, num_owners)) {
  if (rules_.ttl_seconds > 0) clock_.emplace(static_cast<double>(rules_.ttl_seconds));
}

float Eviction::load(const std::byte* row, std::int32_t which) const {
  float value;
  std::memcpy(&value, row + layout_.usage_offset + 4 * which, sizeof value);
  return value;
}

void Eviction::store(std::byte* row, std::int32_t which, float value) const {
  std::memcpy(row + layout_.usage_offset + 4 * which, &value, sizeof value);
}

void Eviction::start(std::byte* row, Step now) const {
  store(row, kLastUse, as_float(now));
  if (layout_.usage_floats > kUses) store(row, kUses, 0);
}

void Eviction::use(std::byte* row, Step now) const {
  if (layout_.usage_floats > kUses) store(row, kUses, uses_at(row, now) + 1);
  store(row, kLastUse, std::max(load(row, kLastUse), as_float(now)));
}

void Eviction::end(std::byte* row) const {
  store(row, kLastUse, std::numeric_limits<float>::infinity());
}

bool Eviction::expired(const std::byte* row, Step now) const {
  const float last_use = load(row, kLastUse);
  if (rules_.ttl_steps > 0 && as_float(now) - last_use > static_cast<float>(rules_.ttl_steps)) return true;
  return clock_ && last_use < as_float(std::min(clock_->horizon(), now));
}

float Eviction::uses_at(const std::byte* row, Step now) const {
  const float uses = load(row, kUses);
  if (rules_.half_life_steps == 0) return uses;
  const float age = std::max(0.0F, as_float(now) - load(row, kLastUse));
  return uses * std::exp2(-age / static_cast<float>(rules_.half_life_steps));
}

// Above 0 but for rows that are too old.
float Eviction::score(std::byte* row, Step now) const {
  if (expired(row, now)) return -1;
  if (rules_.policy == config::EvictionPolicy::lru) return load(row, kLastUse);
  if (rules_.policy == config::EvictionPolicy::lfu) return uses_at(row, now);
  std::array<float, kMaxDim> values;
  constexpr std::uint32_t first = 0;
  kernels_.gather({&layout_, &row, &first, 1, values.data()});
  return std::inner_product(values.data(), values.data() + layout_.dim, values.data(), 0.0F);
}

RowSlot Eviction::victim(const InnerShard& shard, std::uint64_t place, Moment when) const {
  if (!full(shard)) return kNoSlot;
  const auto slots = static_cast<std::uint64_t>(shard.slots());
  RowSlot worst = kNoSlot;
  float worst_score = std::numeric_limits<float>::infinity();
  std::uint64_t random = mix64(place + static_cast<std::uint64_t>(when.step.value()));
  for (int attempt = 0; attempt < kTries && worst == kNoSlot; ++attempt, random = mix64(random)) {
    // One slot of each sixteenth of the shard.
    const std::uint64_t first = (random >> 32) * slots >> 32;
    std::array<RowSlot, kSampled> sample;
    for (std::uint32_t i = 0; i < kSampled; ++i) {
      sample[i] = RowSlot(static_cast<std::uint32_t>((first + i * slots / kSampled) % slots));
      __builtin_prefetch(shard.row(sample[i]));
    }
    for (const RowSlot slot : sample) {
      std::byte* const row = shard.row(slot);
      if (load(row, kLastUse) >= as_float(when.oldest_open)) continue;
      const float own = score(row, when.step);
      if (worst != kNoSlot && !(own < worst_score)) continue;
      worst = slot;
      worst_score = own;
    }
  }
  return worst;
}

}  // namespace persia::table
