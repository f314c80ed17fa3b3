// SIGTERM and SIGINT (Ctrl-C) of this process as a descriptor that becomes readable.
//
// A handler of the whole process writes to a pipe, so a signal reaches the reader whichever thread the kernel
// picks, also threads that MPI started earlier. One object at a time in a process.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <optional>

namespace persia::observe {

class TerminationSignal {
 public:
  TerminationSignal();
  ~TerminationSignal();  // restores what was there before
  TerminationSignal(const TerminationSignal&) = delete;
  TerminationSignal& operator=(const TerminationSignal&) = delete;
  TerminationSignal(TerminationSignal&&) = delete;
  TerminationSignal& operator=(TerminationSignal&&) = delete;

  [[nodiscard]] int descriptor() const { return read_end_; }
  // One signal that arrived, without waiting: 0 for a plain one, the number that send() gave otherwise.
  [[nodiscard]] std::optional<int> take();
  // From now on the signals do what they did before this object. Safe from any thread, more than once.
  void restore();

  // SIGTERM with a number > 0 to another process. A process that is gone is no error.
  static void send(std::int64_t pid, int number);

 private:
  int read_end_ = -1, write_end_ = -1;
  std::array<struct sigaction, 2> previous_{};  // of SIGTERM and SIGINT
};

}  // namespace persia::observe
