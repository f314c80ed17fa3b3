// A row's numbers while an update changes them, for update_body.hpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "table/inner_shard.hpp"
#include "table/kernel_bodies.hpp"
#include "table/optimizers/rule.hpp"
#include "table/rounding.hpp"

namespace persia::table {

// RowLayout::counts_updates, of which the compiler knows a part.
template <UpdateRule Rule, class Value>
[[gnu::always_inline]] inline bool counts_updates(const RowLayout& layout) {
  return Rule::counts_updates || Value::rounds || layout.counts_updates;
}

// The update count of a row. Pre: the table counts.
[[gnu::always_inline]] inline float& update_count(const RowLayout& layout, std::byte* row) {
  return *(reinterpret_cast<float*>(row + layout.row_bytes) - 1);
}

template <UpdateRule Rule, class Value>
[[gnu::always_inline]] inline void count_update(const RowLayout& layout, std::byte* row) {
  if (!counts_updates<Rule, Value>(layout)) return;
  float& count = update_count(layout, row);
  count = next_count(count);
}

// Its update is counted already. Values are set once for all elements, in their order, and are the row's
// after close(). Shape: scratch (dim), which may be where the gradient or what is made of it stands: an
// element of it is written when that of the row is set.
template <UpdateRule Rule, class Value, class Dim>
class OpenRow {
 public:
  static constexpr std::size_t kStates = Rule::element_states.size();
  using States = std::array<Floats, std::max<std::size_t>(kStates, 1)>;

  [[gnu::always_inline]] OpenRow(const UpdateJob& job, Dim dim, float bound, std::byte* row, float* scratch)
      : layout_(*job.layout),
        dim_(dim),
        row_(row),
        stored_(*job.layout, row),
        scratch_(scratch),
        count_(counts_updates<Rule, Value>(layout_) ? update_count(layout_, row) : 0.0F),
        bound_(bound),
        random_(job.rounding_key, InnerShard::id_of(row).value(), static_cast<std::uint64_t>(count_)),
        random_words_(random_.first_eight()) {}

  [[gnu::always_inline]] [[nodiscard]] Dim dim() const { return dim_; }
  [[gnu::always_inline]] [[nodiscard]] float count() const { return count_; }
  [[gnu::always_inline]] [[nodiscard]] float* row_states() const {
    return reinterpret_cast<float*>(row_ + layout_.row_states_offset);
  }

  [[gnu::always_inline]] [[nodiscard]] Floats values(std::int32_t begin, std::int32_t size) const {
    return stored_.load(begin, size);
  }
  // Within the weight bound, which is within the range of the type.
  [[gnu::always_inline]] void set_values(const Floats& moved, std::int32_t begin, std::int32_t size) {
    if constexpr (Value::has_scale) {
      store(within(moved, bound_), scratch_ + begin, size);
    } else if constexpr (Value::rounds) {
      store(Eight<Value>::stochastic(moved, bound_, random_words_), own_values() + begin, size);
      random_words_ += random_.to_next_eight();
    } else {
      store(within(moved, bound_), own_values() + begin, size);
    }
  }

  // Rows with a scale get it now, when all their values are known.
  [[gnu::always_inline]] void close() {
    if constexpr (Value::has_scale) {
      const float scale = Value::scale_for(largest_magnitude(scratch_, dim_));
      std::memcpy(row_ + kScaleOffset, &scale, sizeof scale);
      const float limit = static_cast<float>(truncate(std::min(bound_ / scale, Value::kLargest)));
      over_lanes(
          dim_, [&](std::int32_t begin, std::int32_t size) __attribute__((always_inline)) {
            store(Value::stochastic(load<Floats>(scratch_ + begin, size), random_words_, scale, limit),
                  own_values() + begin, size);
            random_words_ += random_.to_next_eight();
          });
    }
  }

  [[gnu::always_inline]] void get_states(States& own, std::int32_t begin, std::int32_t size) const {
    for (std::size_t k = 0; k < kStates; ++k)
      own[k] = layout_.narrow_states ? Eight<Bf16>::decode(load<Halves>(narrow_state(k) + begin, size))
                                     : load<Floats>(state(k) + begin, size);
  }
  [[gnu::always_inline]] void set_states(const States& own, std::int32_t begin, std::int32_t size) const {
    for (std::size_t k = 0; k < kStates; ++k)
      if (layout_.narrow_states)
        store(Eight<Bf16>::stochastic(own[k], Bf16::kLargestValue, random_.eight_from(element(k, begin))),
              narrow_state(k) + begin, size);
      else
        store(own[k], state(k) + begin, size);
  }

 private:
  using Stored = typename Value::Stored;

  [[gnu::always_inline]] [[nodiscard]] Stored* own_values() const {
    return reinterpret_cast<Stored*>(row_ + layout_.values_offset);
  }
  [[gnu::always_inline]] [[nodiscard]] std::byte* state_bytes(std::size_t k) const {
    return row_ + layout_.state_offset + static_cast<std::int32_t>(k) * layout_.element_state_bytes;
  }
  [[gnu::always_inline]] [[nodiscard]] float* state(std::size_t k) const {
    return reinterpret_cast<float*>(state_bytes(k));
  }
  [[gnu::always_inline]] [[nodiscard]] Bf16::Stored* narrow_state(std::size_t k) const {
    return reinterpret_cast<Bf16::Stored*>(state_bytes(k));
  }
  // Of the row's rounding stream, behind the values and the states before.
  [[gnu::always_inline]] [[nodiscard]] std::uint32_t element(std::size_t k, std::int32_t begin) const {
    return static_cast<std::uint32_t>(k + 1) * (2 * kMaxDim) + static_cast<std::uint32_t>(begin);
  }
  const RowLayout& layout_;
  Dim dim_;  // that of the layout
  std::byte* row_;
  StoredValues<Value> stored_;
  float* scratch_;
  float count_;
  float bound_;
  RoundingStream random_;
  Words random_words_;  // of the next eight elements to be set
};

}  // namespace persia::table
