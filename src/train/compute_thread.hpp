// The thread that owns Kokkos (or the GPU) and the dense network. Others hand it closures; it runs them in
// order.
//
// An exception in a closure is kept and thrown by the next check() or call() of the communication thread;
// later closures are dropped. Thread safety: post(), call() and check() belong to one thread, the
// communication thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace persia::train {

class ComputeThread {
 public:
  // Starts the thread, Kokkos in it with `num_threads` threads on `device` (-1: CPU). Throws what starting it
  // threw.
  ComputeThread(std::int32_t num_threads, int device);
  // The same with what `open` returns in place of Kokkos; it ends with the thread.
  explicit ComputeThread(const std::function<std::shared_ptr<void>()>& open);
  ~ComputeThread();  // finishes the closure under way, drops the others
  ComputeThread(const ComputeThread&) = delete;
  ComputeThread& operator=(const ComputeThread&) = delete;
  ComputeThread(ComputeThread&&) = delete;
  ComputeThread& operator=(ComputeThread&&) = delete;

  void post(std::function<void()> work);
  // Runs and waits. Rethrows. Pre: the closure needs nothing from the communication thread.
  void call(const std::function<void()>& work);
  void check();
  // Last: waits for what is queued, runs `clean_up` even after a failed closure, and ends the thread.
  void finish(const std::function<void()>& clean_up);
  // Waits until nothing is queued or under way. Pre: nothing under way waits for the communication thread.
  void wait_idle();
  // Seconds (clock.hpp) at which the last closure ended; the compute thread itself asks, to know how long it
  // was idle.
  [[nodiscard]] double idle_since() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::train
