#include "observe/termination_signal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace persia::observe {

namespace {

constexpr std::array handled{SIGTERM, SIGINT};

// Where the handler writes; -1: nobody listens.
std::atomic<int> listener{-1};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void forward(int, siginfo_t* info, void*) {
  const int saved = errno;
  const int number = info->si_code == SI_QUEUE ? info->si_value.sival_int : 0;
  const int descriptor = listener.load();
  // A full pipe already says enough.
  if (descriptor >= 0) [[maybe_unused]]
    const ssize_t ignored = ::write(descriptor, &number, sizeof number);
  errno = saved;
}

}  // namespace

TerminationSignal::TerminationSignal() {
  int ends[2];
  const bool made = ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
  require(made, "cannot make a pipe: {}", std::strerror(errno));
  read_end_ = ends[0];
  write_end_ = ends[1];
  int nobody = -1;
  expects(listener.compare_exchange_strong(nobody, write_end_), "one TerminationSignal at a time");
  struct sigaction action {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    const bool set = ::sigaction(handled[i], &action, &previous_[i]) == 0;
    require(set, "cannot handle signal {}: {}", handled[i], std::strerror(errno));
  }
}

TerminationSignal::~TerminationSignal() {
  restore();
  listener.store(-1);
  ::close(read_end_);
  ::close(write_end_);
}

void TerminationSignal::restore() {
  for (std::size_t i = 0; i < handled.size(); ++i) ::sigaction(handled[i], &previous_[i], nullptr);
}

std::optional<int> TerminationSignal::take() {
  int number = 0;
  if (::read(read_end_, &number, sizeof number) != static_cast<ssize_t>(sizeof number)) return std::nullopt;
  return number;
}

void TerminationSignal::send(std::int64_t pid, int number) {
  sigval value{};
  value.sival_int = number;
  ::sigqueue(static_cast<pid_t>(pid), SIGTERM, value);
}

}  // namespace persia::observe
