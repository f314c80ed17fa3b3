#include "data/row_window.hpp"

#include <algorithm>
#include <utility>

#include "base/cast.hpp"
#include "data/order.hpp"

namespace persia::data {

namespace {

constexpr std::uint32_t kCacheLineBytes = 64;
constexpr std::uint32_t kPrefetchBytes = 512;  // of one row; the processor follows longer ones itself

}  // namespace

OrderedRows::OrderedRows(RowStream& rows, RowOrder order, std::int64_t first) : rows_(rows), order_(order) {
  skip_windows(first);
}

void OrderedRows::skip_windows(std::int64_t first) {
  windows_read_ = first / order_.window_rows;
  for (std::int64_t row = 0; row < windows_read_ * order_.window_rows && !ended_; ++row)
    ended_ = !rows_.next().has_value();
  const std::int64_t within = first % order_.window_rows;
  drop(prepare(within));
}

bool OrderedRows::load_window() {
  if (ended_) return false;
  Window window = std::exchange(spare_, {});
  window.texts.clear();
  window.entries.clear();
  window.given = 0;
  while (static_cast<std::int64_t>(window.entries.size()) < order_.window_rows) {
    const std::optional<Row> row = rows_.next();
    if (!row) {
      ended_ = true;
      break;
    }
    if (window.entries.empty()) window.first_number = row->number;
    window.entries.push_back({.text = window.texts.append(row->text),
                              .line = row->line,
                              .size = checked_cast<std::uint32_t>(row->text.size()),
                              .file = row->file});
  }
  if (window.entries.empty()) return false;
  if (order_.shuffle)
    window.order = window_permutation(order_.seed, order_.epoch, windows_read_, window.left());
  ++windows_read_;
  windows_.push_back(std::move(window));
  return true;
}

std::int64_t OrderedRows::prepare(std::int64_t wanted) {
  std::int64_t ready = 0;
  for (const Window& window : windows_) ready += window.left();
  while (ready < wanted && load_window()) ready += windows_.back().left();
  return std::min(ready, wanted);
}

OrderedRows::Spot OrderedRows::spot(std::int64_t ahead) const {
  auto window = windows_.begin();
  for (; ahead >= window->left(); ++window) ahead -= window->left();
  const auto place = static_cast<std::size_t>(window->given + ahead);
  return {.window = &*window, .place = order_.shuffle ? window->order[place] : place};
}

Row OrderedRows::at(std::int64_t ahead) const {
  const Spot found = spot(ahead);
  const Entry& entry = found.window->entries[found.place];
  return {.text = std::string_view(entry.text, entry.size),
          .line = entry.line,
          .file = entry.file,
          .number = found.window->first_number + static_cast<std::int64_t>(found.place)};
}

void OrderedRows::prefetch(std::int64_t ahead, std::int64_t far_ahead) const {
  const Spot far = spot(far_ahead);
  __builtin_prefetch(&far.window->entries[far.place]);
  const Spot found = spot(ahead);
  const Entry& entry = found.window->entries[found.place];
  for (std::uint32_t byte = 0; byte < std::min(entry.size, kPrefetchBytes); byte += kCacheLineBytes)
    __builtin_prefetch(entry.text + byte);
}

void OrderedRows::drop(std::int64_t count) {
  while (count > 0) {
    Window& window = windows_.front();
    const std::int64_t here = std::min(count, window.left());
    window.given += here;
    count -= here;
    if (window.left() > 0) return;
    spare_ = std::move(window);
    windows_.pop_front();
  }
}

}  // namespace persia::data
