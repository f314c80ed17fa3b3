// Notices that a process of this job on this host died, and says who it was before the launcher ends the job.
//
// A thread of its own watches the other local ranks' processes (pidfd) and this process's SIGTERM (mpirun
// sends it to the survivors). On a death outside an orderly end, the lowest surviving rank of the host prints
// "lost: embedding 0 (rank 0 on host a, pid 123) is gone" and ends the job with exit code 1.
#pragma once

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

class Watcher {
 public:
  // `local` are all ranks of this host, itself included; `end_job` is called at most once, from the watcher's
  // thread.
  Watcher(std::vector<WatchedRank> local, int own_world_rank, std::function<void()> end_job);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  Watcher(Watcher&&) = delete;
  Watcher& operator=(Watcher&&) = delete;
  // From now on deaths of others are normal (orderly end).
  void stand_down();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::observe
