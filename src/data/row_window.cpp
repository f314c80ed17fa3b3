#include "data/row_window.hpp"

#include <algorithm>
#include <utility>

#include "base/cast.hpp"
#include "data/order.hpp"

namespace persia::data {

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
    window.entries.push_back({.offset = window.texts.size(),
                              .line = row->line,
                              .size = checked_cast<std::uint32_t>(row->text.size()),
                              .file = row->file});
    window.texts.append(row->text);
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

Row OrderedRows::at(std::int64_t ahead) const {
  auto window = windows_.begin();
  for (; ahead >= window->left(); ++window) ahead -= window->left();
  std::size_t place = static_cast<std::size_t>(window->given + ahead);
  if (order_.shuffle) place = window->order[place];
  const Entry& entry = window->entries[place];
  return {.text = std::string_view(window->texts).substr(entry.offset, entry.size),
          .line = entry.line,
          .file = entry.file,
          .number = window->first_number + static_cast<std::int64_t>(place)};
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
