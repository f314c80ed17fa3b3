#include "base/status_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace persia::status {

namespace {

struct Entry {
  const char* text;
  std::int64_t number;
  Waits waits;
};

struct Board {
  std::atomic<std::uint64_t> movements{0};
  std::atomic<const char*> call{nullptr};
  std::atomic<std::int64_t> call_number{0};
  std::atomic<const char*> detail{nullptr};
  std::atomic<std::int64_t> detail_number{0};
  std::mutex mutex;  // of all below
  std::vector<Entry> phases;
  std::string told;
  Waits told_waits = Waits::for_nobody;
  std::uint64_t told_at = 0;  // movements at that time
};

// Never destroyed: the watcher's thread may outlive everything else.
Board& board() {
  static auto* const the_board = new Board;
  return *the_board;
}

std::uint64_t movements() {
  return board().movements.load(std::memory_order_relaxed);
}

void append(std::string& text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += ": ";
  text += more;
}

Waits waits_of(const Board& board, bool calls, bool told) {
  const bool patient = std::ranges::any_of(
      board.phases, [](const Entry& phase) { return phase.waits == Waits::for_the_slow; });
  if (patient) return Waits::for_the_slow;
  if (calls) return Waits::for_others;
  return told ? board.told_waits : Waits::for_nobody;
}

}  // namespace

Phase::Phase(const char* text, std::int64_t number, Waits waits) {
  {
    const std::lock_guard lock(board().mutex);
    board().phases.push_back({text, number, waits});
  }
  mark_movement();
}

Phase::~Phase() {
  {
    const std::lock_guard lock(board().mutex);
    board().phases.pop_back();
  }
  if (std::uncaught_exceptions() == 0) mark_movement();
}

Call::Call(const char* text, std::int64_t number) {
  board().call_number.store(number, std::memory_order_relaxed);
  board().call.store(text, std::memory_order_relaxed);
}

Call::~Call() {
  board().call.store(nullptr, std::memory_order_relaxed);
  if (std::uncaught_exceptions() == 0) mark_movement();
}

Detail::Detail(const char* text, std::int64_t number) {
  board().detail_number.store(number, std::memory_order_relaxed);
  board().detail.store(text, std::memory_order_relaxed);
}

Detail::~Detail() {
  board().detail.store(nullptr, std::memory_order_relaxed);
}

void mark_movement() {
  std::atomic<std::uint64_t>& count = board().movements;
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void tell(std::string text, Waits waits) {
  Board& here = board();
  const std::lock_guard lock(here.mutex);
  here.told = std::move(text);
  here.told_waits = waits;
  here.told_at = movements();
}

Status read() {
  Board& here = board();
  const std::lock_guard lock(here.mutex);
  Status status{.text = {}, .waits = Waits::for_nobody, .movements = movements()};
  for (const Entry& phase : here.phases)
    append(status.text, fmt::format(fmt::runtime(phase.text), phase.number));
  const char* const detail = here.detail.load(std::memory_order_relaxed);
  if (detail != nullptr)
    append(status.text,
           fmt::format(fmt::runtime(detail), here.detail_number.load(std::memory_order_relaxed)));
  const char* const call = here.call.load(std::memory_order_relaxed);
  const bool told = !here.told.empty() && here.told_at == status.movements;
  if (told) append(status.text, here.told);
  if (call != nullptr)
    append(status.text, fmt::format(fmt::runtime(call), here.call_number.load(std::memory_order_relaxed)));
  status.waits = waits_of(here, call != nullptr, told);
  return status;
}

}  // namespace persia::status
