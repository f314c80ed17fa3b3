// Notices that a process of this job on this host died or that the job is stuck, and says who and where
// before the launcher ends the job.
//
// A thread of its own watches the other local ranks' processes (local_process.hpp) and this process's
// SIGTERM, which the launcher sends to the survivors, and SIGINT (termination_signal.hpp).
//   a local rank is gone     the lowest surviving rank of the host logs "lost: embedding 0 (rank 0 on host a,
//                            pid 123) is gone ..."; all survivors end with exit code 1
//   a signal, nobody gone    the lowest rank of the host logs that the job was asked to stop; all end with
//   143 a local rank announced   it has said itself why it ends; the others end silently with its exit code
//   a rank is stuck          nothing has moved here for mail.timeout_seconds while this rank waits for others
//                            (base/status_board.hpp) or a rank of this host is stopped: it and all other
//                            ranks of the host log one block each, what they are at and for how long
//                            (stuck_job.hpp), and end with exit code 1. Ranks of other hosts learn of it by
//                            the launcher's signal: whoever has stood still for some seconds says so then.
// Ranks that do not speak wait a little longer than the one that does, so that nobody takes it for lost too.
// Orderly end: every rank calls stand_down(), then all meet in a barrier, then they exit.
// The signals are caught by a handler of the whole process, so it does not matter which threads run
// before or after. One Watcher at a time in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace persia::observe {

struct WatchedRank {
  int world_rank = 0;
  std::string description;  // "embedding 0 (rank 0 on host a, pid 123)"
  std::int64_t pid = 0;
};

enum class Ending { failed, stuck };

class Watcher {
 public:
  // `local` are all ranks of this host, itself included. `end_job` ends this process with the code given
  // (std::_Exit is enough: the launcher then ends the job); it is called at most once, from the watcher's
  // thread, while other threads are in the middle of anything.
  Watcher(std::vector<WatchedRank> local, int own_world_rank, double timeout_seconds,
          std::function<void(int exit_code)> end_job);
  ~Watcher();  // stands down and stops the thread
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  Watcher(Watcher&&) = delete;
  Watcher& operator=(Watcher&&) = delete;
  // From now on deaths of others are normal and a signal ends this process at once, as without a watcher.
  void stand_down();
  // Before this rank ends alone, after its own message: the other local ranks need none. In a stuck job each
  // of them gives its block, for which this call waits a moment. From now on deaths are normal and signals do
  // nothing: the caller ends the process. Pre: 0 < exit_code < 256.
  void announce_failure(int exit_code, Ending ending);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::observe
