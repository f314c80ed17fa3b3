// Bounded hand-over queue between threads of one process (reader -> embed stage -> compute).
//
// push() waits while full, pop() while empty. close() lets consumers drain what is left and then see the end;
// fail() hands an exception to whoever pops next. Thread safe, any number of producers and consumers.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace persia {

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity == 0 ? 1 : capacity) {}

  // Waits for room. Returns false, dropping the item, once the queue was closed.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return closed_ || items_.size() < capacity_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    filled_.notify_one();
    return true;
  }

  // Waits for an item; nullopt once closed and drained. Rethrows what fail() was given, after the items
  // before it.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return closed_ || !items_.empty(); });
    return take();
  }

  // As pop(), without waiting; nullopt also when nothing is there yet (ask finished()).
  std::optional<T> try_pop() {
    std::unique_lock lock(mutex_);
    return take();
  }

  // True once closed and drained: nothing will ever come again.
  [[nodiscard]] bool finished() const {
    std::unique_lock lock(mutex_);
    return closed_ && items_.empty() && !error_;
  }

  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    filled_.notify_all();
    room_.notify_all();
  }

  void fail(std::exception_ptr error) {
    std::unique_lock lock(mutex_);
    error_ = std::move(error);
    closed_ = true;
    filled_.notify_all();
    room_.notify_all();
  }

 private:
  std::optional<T> take() {
    if (items_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return std::nullopt;
    }
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    room_.notify_one();
    return item;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable filled_, room_;
  std::deque<T> items_;
  std::exception_ptr error_;
  bool closed_ = false;
};

}  // namespace persia
