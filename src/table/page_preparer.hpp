// A thread that has the system give memory before it is used, so that no batch waits while pages are found
// and zeroed: 0.3 ms for a huge page, and several in a virtual machine whose host has to find it first.
//
// It starts with the first request. Where threads or the call (Linux 5.14) are not to be had, memory comes
// with its first touch, as ever. The thread may run where its maker may: bind a process to the memory it
// shall use. prepare() is for one thread at a time. Caller: SlabArena.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>

namespace persia::table {

class PagePreparer {
 public:
  // Asks for pages that begin and end at huge ones and stay mapped until this is gone. Does not wait.
  void prepare(std::span<std::byte> pages) noexcept;

 private:
  void serve(const std::stop_token& stop);

  std::mutex lock_;  // of what is asked for
  std::condition_variable_any asked_;
  std::deque<std::span<std::byte>> pages_;
  std::jthread thread_;  // gone first
};

}  // namespace persia::table
