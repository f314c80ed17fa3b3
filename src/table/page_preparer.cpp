#include "table/page_preparer.hpp"

#include <algorithm>
#include <exception>

#include "table/pages.hpp"

namespace persia::table {

void PagePreparer::prepare(std::span<std::byte> pages) noexcept {
  try {
    const std::scoped_lock lock(lock_);
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    pages_.push_back(pages);
  } catch (const std::exception&) {
    return;  // no thread, no memory for the request: the first touch asks itself
  }
  asked_.notify_one();
}

void PagePreparer::serve(const std::stop_token& stop) {
  std::unique_lock lock(lock_);
  while (asked_.wait(lock, stop, [this] { return !pages_.empty(); })) {
    // One huge page at a time, so that the end is not waited for.
    const std::span<std::byte> page = pages_.front().first(std::min(pages_.front().size(), kHugePageBytes));
    pages_.front() = pages_.front().subspan(page.size());
    if (pages_.front().empty()) pages_.pop_front();
    lock.unlock();
    make_resident(page.data(), page.size());
    lock.lock();
    if (stop.stop_requested()) return;
  }
}

}  // namespace persia::table
