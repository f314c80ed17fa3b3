// Integer types that cannot be mixed up: a row slot is no owner index and no feature id.
//
// Strong<Tag, Rep> holds one Rep, converts only when asked (value(), explicit constructor), compares, hashes,
// and has the size and layout of Rep, so arrays of it may be copied as bytes.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace persia {

template <class Tag, std::integral Rep>
class Strong {
 public:
  using rep = Rep;
  constexpr Strong() = default;
  constexpr explicit Strong(Rep value) : value_(value) {}
  [[nodiscard]] constexpr Rep value() const { return value_; }
  constexpr auto operator<=>(const Strong&) const = default;

 private:
  Rep value_{};
};

// A category's 64-bit id within its table. Every value is valid.
using FeatureId = Strong<struct FeatureIdTag, std::uint64_t>;
// A row's place in one inner shard of one owner's table; stable while the row lives.
using RowSlot = Strong<struct RowSlotTag, std::uint32_t>;
// 0 .. E-1, the embedding ranks in world order.
using OwnerIndex = Strong<struct OwnerIndexTag, std::int32_t>;
// 0 .. T-1, the trainer ranks in world order.
using TrainerIndex = Strong<struct TrainerIndexTag, std::int32_t>;
// 0 .. number of tables - 1, in the order of the resolved run file.
using TableIndex = Strong<struct TableIndexTag, std::int32_t>;
// Optimizer steps since the first one of the whole training (not of this process); the first step is 0.
using Step = Strong<struct StepTag, std::int64_t>;
// One lookup that an owner remembers until its gradient arrives. Unique per client for the life of the job.
using Token = Strong<struct TokenTag, std::uint64_t>;

}  // namespace persia

template <class Tag, std::integral Rep>
struct std::hash<persia::Strong<Tag, Rep>> {
  std::size_t operator()(persia::Strong<Tag, Rep> id) const noexcept { return std::hash<Rep>{}(id.value()); }
};
