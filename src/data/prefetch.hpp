// Runs a reading function ahead in its own thread: batches of all epochs of a training, in order.
//
// next() never touches files itself; an exception of the reading thread (a malformed row, a damaged file)
// comes out of the call that would have returned the batch concerned. Destruction stops the thread promptly.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/queue.hpp"

namespace persia::data {

// `read` is called in the new thread until it returns nullopt; Item is a Batch or a batch with its lookup
// plan.
template <class Item>
class Prefetcher {
 public:
  Prefetcher(std::function<std::optional<Item>()> read, std::size_t ahead)
      : queue_(ahead),
        thread_([this, read = std::move(read)](const std::stop_token& stop) { run(read, stop); }) {}
  ~Prefetcher() { queue_.close(); }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // Does not wait. nullopt: nothing read yet, or (finished()) nothing will come.
  std::optional<Item> try_next() { return queue_.try_pop(); }
  // Waits.
  std::optional<Item> next() { return queue_.pop(); }
  [[nodiscard]] bool finished() const { return queue_.finished(); }

 private:
  void run(const std::function<std::optional<Item>()>& read, const std::stop_token& stop) {
    try {
      while (!stop.stop_requested()) {
        std::optional<Item> item = read();
        if (!item) break;
        if (!queue_.push(std::move(*item))) return;
      }
      queue_.close();
    } catch (...) {
      queue_.fail(std::current_exception());
    }
  }

  BoundedQueue<Item> queue_;
  std::jthread thread_;  // last: joins before the queue goes
};

}  // namespace persia::data
