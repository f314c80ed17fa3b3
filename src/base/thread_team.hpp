// A fixed team of threads that do one piece of work together, again and again, some microseconds apart.
//
// The caller is thread 0 of the team. Between pieces the others watch for the next one for a moment and then
// sleep. run() returns when all are done, and what they wrote is then seen by the caller. One thread calls
// run(), never within its own work. Callers: table (inner shards of a look-up or update).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace persia {

// A stretch of a sequence.
struct Part {
  std::size_t first;
  std::size_t size;
};

// The k-th of `count` parts of `size` things, which are equal within one. Pre: k < count.
[[nodiscard]] constexpr Part part_of(std::size_t size, std::size_t k, std::size_t count) {
  const std::size_t first = size * k / count;
  return {first, size * (k + 1) / count - first};
}

class ThreadTeam {
 public:
  // Pre: size >= 1. Throws std::system_error if the system has no more threads.
  explicit ThreadTeam(std::int32_t size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(failures_.size()); }

  // Calls work(k) for k = 0 .. size() - 1, each on its own thread. The exception of the lowest k that threw
  // comes out when all are done.
  void run(const std::function<void(std::int32_t)>& work);

 private:
  void serve(std::int32_t k);
  void call(std::int32_t k);
  void stop();

  const std::function<void(std::int32_t)>* work_ = nullptr;  // nullptr: the end
  std::atomic<std::uint32_t> piece_{0};                      // counts up when there is work
  std::atomic<std::int32_t> busy_{0};                        // of the others
  std::vector<std::exception_ptr> failures_;                 // (size)
  std::vector<std::thread> others_;                          // (size - 1)
};

}  // namespace persia
