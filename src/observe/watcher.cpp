#include "observe/watcher.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "observe/local_process.hpp"
#include "observe/termination_signal.hpp"

namespace persia::observe {

namespace {

using std::chrono::milliseconds;

// The launcher kills for good about a second after its SIGTERM: everything is said and done by then.
constexpr milliseconds speaker_waits{200}, others_wait{400}, announced_waits{800};
constexpr milliseconds settle{50};
constexpr int lost_exit_code = 1, stopped_exit_code = 128 + SIGTERM;
constexpr int look_every_ms = 200;  // where a process has no descriptor

struct Peer {
  WatchedRank rank;
  LocalProcess process;
};

std::vector<Peer> open_peers(std::vector<WatchedRank> local, int own_world_rank) {
  std::vector<Peer> peers;
  for (WatchedRank& rank : local)
    if (rank.world_rank != own_world_rank) peers.push_back({std::move(rank), LocalProcess(rank.pid)});
  return peers;
}

}  // namespace

struct Watcher::State {
  State(std::vector<WatchedRank> local, int own, std::function<void(int)> end)
      : own_world_rank(own), end_job(std::move(end)), peers(open_peers(std::move(local), own)) {
    wake_up = ::eventfd(0, EFD_CLOEXEC);
    require(wake_up >= 0, "cannot make an event descriptor: {}", std::strerror(errno));
    thread = std::thread([this] { run(); });
  }
  ~State() {
    stop();
    thread.join();
    ::close(wake_up);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void stop() {
    signal.restore();
    const std::uint64_t one = 1;
    stopping = true;
    [[maybe_unused]] const ssize_t written = ::write(wake_up, &one, sizeof one);
  }

  void run();
  void wait();
  void pause(milliseconds delay);
  void end_lost(const std::vector<const WatchedRank*>& lost);
  void end_asked();
  [[nodiscard]] std::vector<const WatchedRank*> find_lost();
  [[nodiscard]] bool speaks();
  void end_after(milliseconds delay, int exit_code);

  const int own_world_rank;
  const std::function<void(int)> end_job;
  std::vector<Peer> peers;
  TerminationSignal signal;
  int wake_up = -1;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

// Until something may have happened.
void Watcher::State::wait() {
  std::vector<pollfd> entries = {{wake_up, POLLIN, 0}, {signal.descriptor(), POLLIN, 0}};
  int timeout_ms = -1;
  for (const Peer& peer : peers) {
    if (peer.process.descriptor() >= 0)
      entries.push_back({peer.process.descriptor(), POLLIN, 0});
    else
      timeout_ms = look_every_ms;
  }
  ::poll(entries.data(), static_cast<nfds_t>(entries.size()), timeout_ms);
}

void Watcher::State::run() {
  while (true) {
    wait();
    // What belongs together (a death, the launcher's signal, an announcement) comes within moments.
    pause(settle);
    if (stopping) return;
    bool asked = false;
    while (const std::optional<int> number = signal.take()) {
      if (*number > 0) return end_after(announced_waits, *number);
      asked = true;
    }
    const std::vector<const WatchedRank*> lost = find_lost();
    if (!lost.empty()) return end_lost(lost);
    if (asked) return end_asked();
  }
}

std::vector<const WatchedRank*> Watcher::State::find_lost() {
  std::vector<const WatchedRank*> lost;
  for (Peer& peer : peers)
    if (peer.process.gone()) lost.push_back(&peer.rank);
  return lost;
}

bool Watcher::State::speaks() {
  return std::none_of(peers.begin(), peers.end(), [&](Peer& peer) {
    return peer.rank.world_rank < own_world_rank && !peer.process.gone();
  });
}

void Watcher::State::end_lost(const std::vector<const WatchedRank*>& lost) {
  const bool speaker = speaks();
  if (speaker)
    for (const WatchedRank* rank : lost)
      log::error(
          "lost: {} is gone; out of memory or killed, if it did not say why. The job ends; start again "
          "with --resume to go on from the newest checkpoint",
          rank->description);
  end_after(speaker ? speaker_waits : others_wait, lost_exit_code);
}

void Watcher::State::end_asked() {
  const bool speaker = speaks();
  if (speaker)
    log::warn("asked to stop (SIGTERM or SIGINT); the job ends. --resume goes on from the newest checkpoint");
  end_after(speaker ? speaker_waits : others_wait, stopped_exit_code);
}

// Ends early when this process comes to an orderly end.
void Watcher::State::pause(milliseconds delay) {
  pollfd entry{wake_up, POLLIN, 0};
  ::poll(&entry, 1, static_cast<int>(delay.count()));
}

void Watcher::State::end_after(milliseconds delay, int exit_code) {
  pause(delay);
  if (!stopping) end_job(exit_code);
}

Watcher::Watcher(std::vector<WatchedRank> local, int own_world_rank, std::function<void(int)> end_job)
    : state_(std::make_unique<State>(std::move(local), own_world_rank, std::move(end_job))) {}

Watcher::~Watcher() = default;

void Watcher::stand_down() {
  state_->stop();
}

void Watcher::announce_failure(int exit_code) {
  expects(exit_code > 0, "a failure has an exit code above 0");
  state_->stop();
  for (const Peer& peer : state_->peers) TerminationSignal::send(peer.rank.pid, exit_code);
}

}  // namespace persia::observe
