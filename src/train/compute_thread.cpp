#include "train/compute_thread.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/queue.hpp"
#include "sys/kokkos_session.hpp"

namespace persia::train {

struct ComputeThread::State {
  BoundedQueue<std::function<void()>> queue{1024};
  std::mutex mutex;
  std::exception_ptr error;  // guarded by mutex
  std::atomic<double> idle_since{now_seconds()};
  std::atomic<std::int64_t> pending{0};  // closures queued or under way
  std::atomic<bool> dropping{false};     // the owner is gone: closures no longer run
  std::function<void()> clean_up;        // set before the queue is closed
  std::jthread thread;

  void keep_error() {
    const std::lock_guard lock(mutex);
    if (!error) error = std::current_exception();
  }

  [[nodiscard]] std::exception_ptr first_error() {
    const std::lock_guard lock(mutex);
    return error;
  }

  void run(const std::function<std::shared_ptr<void>()>& open, std::promise<void>& started) {
    std::shared_ptr<void> session;
    try {
      session = open();
    } catch (...) {
      return started.set_exception(std::current_exception());
    }
    started.set_value();
    // From here on `open` and `started` are gone.
    while (std::optional<std::function<void()>> work = queue.pop()) {
      if (!dropping && !first_error()) run_one(*work);
      work.reset();
      idle_since = now_seconds();
      --pending;
    }
    if (clean_up) run_one(clean_up);
  }

  void run_one(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      keep_error();
    }
  }
};

ComputeThread::ComputeThread(std::int32_t num_threads, int device)
    : ComputeThread([=] { return std::make_shared<sys::KokkosSession>(num_threads, device); }) {}

ComputeThread::ComputeThread(const std::function<std::shared_ptr<void>()>& open)
    : state_(std::make_unique<State>()) {
  std::promise<void> started;
  std::future<void> start = started.get_future();
  state_->thread = std::jthread([state = state_.get(), &open, &started] { state->run(open, started); });
  start.get();
}

ComputeThread::~ComputeThread() {
  state_->dropping = true;
  state_->queue.close();
}

void ComputeThread::post(std::function<void()> work) {
  ++state_->pending;
  expects(state_->queue.push(std::move(work)), "the compute thread runs");
}

void ComputeThread::call(const std::function<void()>& work) {
  std::promise<void> done;
  post([&] {
    try {
      work();
      done.set_value();
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  });
  // If an earlier closure failed, this one is dropped: look for that while waiting.
  std::future<void> result = done.get_future();
  while (result.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) check();
  result.get();
}

void ComputeThread::check() {
  if (const std::exception_ptr error = state_->first_error()) std::rethrow_exception(error);
}

void ComputeThread::finish(const std::function<void()>& clean_up) {
  wait_idle();
  state_->clean_up = clean_up;
  state_->queue.close();
  state_->thread.join();
}

void ComputeThread::wait_idle() {
  while (state_->pending > 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

double ComputeThread::idle_since() const {
  return state_->idle_since;
}

}  // namespace persia::train
