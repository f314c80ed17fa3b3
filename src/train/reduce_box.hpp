// Hands sums over the trainer team from the compute thread, which needs them, to the communication thread,
// which alone may call MPI.
//
// One sum at a time. With one trainer sums are what they were. Thread safety: sum() is for the compute
// thread; service() and close() for the communication thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <span>

#include "sys/communicator.hpp"

namespace persia::train {

class ReduceBox {
 public:
  explicit ReduceBox(const sys::Communicator& trainers) : trainers_(trainers) {}

  // In place over all trainers; waits until it is done. Throws Error after close(). Collective over the
  // trainers.
  void sum(std::span<float> values, std::span<double> totals);

  // Starts a sum that was asked for, finishes one that is done. True if something happened.
  bool service();
  // A sum is asked for or under way.
  [[nodiscard]] bool busy() const;
  // Nobody will serve any more: wakes the compute thread.
  void close();

 private:
  enum class Stage { empty, asked, running };

  const sys::Communicator& trainers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::empty;
  bool closed_ = false;
  std::span<float> values_;
  std::span<double> totals_;
  sys::Request values_request_, totals_request_;  // of the communication thread
};

}  // namespace persia::train
