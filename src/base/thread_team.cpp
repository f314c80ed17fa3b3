#include "base/thread_team.hpp"

#include <chrono>

#include "base/error.hpp"

namespace persia {

namespace {

// About as long as waking a sleeping thread takes.
constexpr std::chrono::microseconds kWatch{50};

// Watches `value` until it is no longer `old`, then sleeps. Returns the new value.
template <class T>
T wait_for_change(const std::atomic<T>& value, T old) {
  const auto end = std::chrono::steady_clock::now() + kWatch;
  while (true) {
    for (int i = 0; i < 64; ++i) {
      const T now = value.load(std::memory_order_acquire);
      if (now != old) return now;
    }
    if (std::chrono::steady_clock::now() >= end) break;
    std::this_thread::yield();  // to whoever does the work, where cores are short
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(std::int32_t size) {
  expects(size >= 1, "a team of at least one thread");
  failures_.resize(static_cast<std::size_t>(size));
  try {
    for (std::int32_t k = 1; k < size; ++k) others_.emplace_back([this, k] { serve(k); });
  } catch (...) {
    stop();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  stop();
}

void ThreadTeam::stop() {
  work_ = nullptr;
  piece_.fetch_add(1, std::memory_order_release);
  piece_.notify_all();
  for (std::thread& other : others_) other.join();
  others_.clear();
}

void ThreadTeam::run(const std::function<void(std::int32_t)>& work) {
  work_ = &work;
  busy_.store(size() - 1, std::memory_order_relaxed);
  piece_.fetch_add(1, std::memory_order_release);
  piece_.notify_all();
  call(0);
  for (std::int32_t busy = busy_.load(std::memory_order_acquire); busy != 0;)
    busy = wait_for_change(busy_, busy);
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    if (!first) first = failure;
    failure = nullptr;
  }
  if (first) std::rethrow_exception(first);
}

void ThreadTeam::serve(std::int32_t k) {
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_change(piece_, seen);
    if (work_ == nullptr) return;
    call(k);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void ThreadTeam::call(std::int32_t k) {
  try {
    (*work_)(k);
  } catch (...) {
    failures_[static_cast<std::size_t>(k)] = std::current_exception();
  }
}

}  // namespace persia
