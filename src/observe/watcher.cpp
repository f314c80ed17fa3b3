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

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/observed_time.hpp"
#include "base/status_board.hpp"
#include "observe/local_process.hpp"
#include "observe/stuck_job.hpp"
#include "observe/termination_signal.hpp"

namespace persia::observe {

namespace {

using std::chrono::milliseconds;

// The launcher kills for good about a second after its SIGTERM: everything is said and done by then.
constexpr milliseconds speaker_waits{200}, others_wait{400}, announced_waits{800};
constexpr milliseconds settle{50};
constexpr int lost_exit_code = 1, stopped_exit_code = 128 + SIGTERM;
constexpr int look_every_ms = 200;  // where a process has no descriptor
constexpr int judge_every_ms = 1000;
// Whoever is asked to stop says where it stands only if it has stood there for a while.
constexpr double worth_saying_seconds = 5;
// From then on the other ranks of the host are looked at.
constexpr double suspicious_seconds = 2;
// In an announcement, above the exit code.
constexpr int stuck_mark = 256;

struct Peer {
  WatchedRank rank;
  LocalProcess process;
  ObservedTime stopped{};
};

std::vector<Peer> open_peers(std::vector<WatchedRank> local, int own_world_rank) {
  std::vector<Peer> peers;
  for (WatchedRank& rank : local)
    if (rank.world_rank != own_world_rank) peers.push_back({std::move(rank), LocalProcess(rank.pid)});
  return peers;
}

}  // namespace

struct Watcher::State {
  State(std::vector<WatchedRank> local, int own, double timeout, std::function<void(int)> end)
      : own_world_rank(own),
        timeout_seconds(timeout),
        end_job(std::move(end)),
        peers(open_peers(std::move(local), own)) {
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
    const std::uint64_t one = 1;
    stopping = true;
    [[maybe_unused]] const ssize_t written = ::write(wake_up, &one, sizeof one);
  }

  void run();
  [[nodiscard]] bool wait();
  void pause(milliseconds delay);
  void end_lost(const std::vector<const WatchedRank*>& lost);
  void end_asked();
  void end_announced(int number);
  void end_stuck();
  void announce(int number);
  void judge();
  [[nodiscard]] Standstill standstill() const;
  [[nodiscard]] std::vector<std::string> stopped_peers() const;
  [[nodiscard]] std::string block() const;
  [[nodiscard]] std::vector<const WatchedRank*> find_lost();
  [[nodiscard]] bool speaks();
  void end_after(milliseconds delay, int exit_code);

  const int own_world_rank;
  const double timeout_seconds;
  const std::function<void(int)> end_job;
  std::vector<Peer> peers;
  TerminationSignal signal;
  int wake_up = -1;
  ObservedTime still;  // nothing has moved here
  // As of the last look: when others end, a rank that stood still may move once more before it speaks.
  status::Status seen;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

// Until something may have happened (true), or it is time to look.
bool Watcher::State::wait() {
  std::vector<pollfd> entries = {{wake_up, POLLIN, 0}, {signal.descriptor(), POLLIN, 0}};
  int timeout_ms = judge_every_ms;
  for (const Peer& peer : peers) {
    if (peer.process.descriptor() >= 0)
      entries.push_back({peer.process.descriptor(), POLLIN, 0});
    else
      timeout_ms = look_every_ms;
  }
  return ::poll(entries.data(), static_cast<nfds_t>(entries.size()), timeout_ms) != 0;
}

void Watcher::State::run() {
  while (true) {
    // What belongs together (a death, the launcher's signal, an announcement) comes within moments.
    if (wait()) pause(settle);
    if (stopping) return;
    bool asked = false;
    while (const std::optional<int> number = signal.take()) {
      if (*number > 0) return end_announced(*number);
      asked = true;
    }
    const std::vector<const WatchedRank*> lost = find_lost();
    if (!lost.empty()) return end_lost(lost);
    if (asked) return end_asked();
    judge();
    if (is_stuck(standstill(), timeout_seconds)) return end_stuck();
  }
}

void Watcher::State::judge() {
  const double now = now_seconds();
  const std::uint64_t before = std::exchange(seen, status::read()).movements;
  still.look(now, seen.movements == before);
  const bool suspicious = still.seconds() >= suspicious_seconds;
  for (Peer& peer : peers) peer.stopped.look(now, suspicious && peer.process.stopped());
}

Standstill Watcher::State::standstill() const {
  Standstill here{.status = seen, .still_seconds = still.seconds()};
  for (const Peer& peer : peers)
    here.longest_stopped_seconds = std::max(here.longest_stopped_seconds, peer.stopped.seconds());
  return here;
}

std::vector<std::string> Watcher::State::stopped_peers() const {
  std::vector<std::string> stopped;
  for (const Peer& peer : peers)
    if (peer.process.stopped()) stopped.push_back(peer.rank.description);
  return stopped;
}

std::string Watcher::State::block() const {
  return block_of(standstill(), stopped_peers());
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
  if (still.seconds() >= worth_saying_seconds) log::warn("{}", block());
  if (speaker)
    log::warn("asked to stop (SIGTERM or SIGINT); the job ends. --resume goes on from the newest checkpoint");
  end_after(speaker ? speaker_waits : others_wait, stopped_exit_code);
}

void Watcher::State::end_announced(int number) {
  // Who was stopped itself, and is awake again, has nothing to say.
  if (number > stuck_mark && still.seconds() > 0) log::error("{}", block());
  end_after(announced_waits, number % stuck_mark);
}

void Watcher::State::end_stuck() {
  log::error("the job is stuck and ends (mail.timeout_seconds: {}): {}", timeout_seconds, block());
  announce(stuck_mark + lost_exit_code);
  end_after(speaker_waits, lost_exit_code);
}

void Watcher::State::announce(int number) {
  for (const Peer& peer : peers) TerminationSignal::send(peer.rank.pid, number);
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

Watcher::Watcher(std::vector<WatchedRank> local, int own_world_rank, double timeout_seconds,
                 std::function<void(int)> end_job)
    : state_(std::make_unique<State>(std::move(local), own_world_rank, timeout_seconds, std::move(end_job))) {
}

Watcher::~Watcher() = default;

void Watcher::stand_down() {
  state_->signal.restore();
  state_->stop();
}

void Watcher::announce_failure(int exit_code, Ending ending) {
  expects(exit_code > 0 && exit_code < stuck_mark, "a failure has an exit code above 0 that fits a byte");
  state_->stop();
  if (ending == Ending::failed) return state_->announce(exit_code);
  // Before anything is ended: launchers wake who is stopped, to end it.
  const std::string stopped = name_stopped(state_->stopped_peers());
  if (!stopped.empty()) log::error("{}", stopped);
  state_->announce(exit_code + stuck_mark);
  std::this_thread::sleep_for(speaker_waits);
}

}  // namespace persia::observe
