// Forked children play the ranks of one host; nobody waits for the dead until the end, as under a launcher.
#include "observe/watcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/status_board.hpp"

namespace persia::observe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int max_ranks = 8;
constexpr double timeout_seconds = 1;

struct Shared {
  std::atomic<int> started, watching;
  std::array<std::atomic<std::int64_t>, max_ranks> pids;
};

struct Outcome {
  int exit_code = -1;  // or 1000 + signal
  std::string text;    // standard error
};

void wait_until(const std::function<bool()>& done) {
  for (const Stopwatch watch; !done() && watch.seconds() < 20;) ::usleep(1000);
}

[[noreturn]] void sleep_long() {
  for (int i = 0; i < 20000; ++i) ::usleep(1000);  // signals cut sleeps short
  std::_Exit(99);
}

class Host {
 public:
  using Behaviour = std::function<void(int rank, Watcher& watcher)>;

  explicit Host(int num_ranks, const Behaviour& behave) : num_ranks_(num_ranks) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared_ = new (memory) Shared{};
    for (int rank = 0; rank < num_ranks; ++rank) {
      const pid_t pid = ::fork();
      if (pid == 0) run(rank, behave);
      shared_->pids.at(static_cast<std::size_t>(rank)) = pid;
    }
    shared_->started = num_ranks;
    wait_until([&] { return shared_->watching == num_ranks; });
  }
  ~Host() { ::munmap(shared_, sizeof(Shared)); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void send(int rank, int signal) { ::kill(pid(rank), signal); }

  std::vector<Outcome> finish() {
    std::vector<Outcome> outcomes;
    for (int rank = 0; rank < num_ranks_; ++rank) {
      int status = 0;
      ::waitpid(pid(rank), &status, 0);
      std::ifstream file(text_path(::getpid(), rank));
      std::string text(std::istreambuf_iterator<char>(file), {});
      ::unlink(text_path(::getpid(), rank).c_str());
      outcomes.push_back({WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), text});
    }
    return outcomes;
  }

 private:
  [[nodiscard]] pid_t pid(int rank) const {
    return static_cast<pid_t>(shared_->pids.at(static_cast<std::size_t>(rank)).load());
  }

  static std::string text_path(pid_t parent, int rank) {
    return "/tmp/persia-watcher-" + std::to_string(parent) + "-" + std::to_string(rank);
  }

  [[noreturn]] void run(int rank, const Behaviour& behave) {
    if (std::freopen(text_path(::getppid(), rank).c_str(), "w", stderr) == nullptr) std::_Exit(98);
    set_log_speaker("rank " + std::to_string(rank));
    wait_until([&] { return shared_->started == num_ranks_; });
    std::vector<WatchedRank> local;
    for (int r = 0; r < num_ranks_; ++r) local.push_back({r, "trainer " + std::to_string(r), pid(r)});
    Watcher watcher(local, rank, timeout_seconds, [](int code) {
      std::fflush(stderr);
      std::_Exit(code);
    });
    ++shared_->watching;
    wait_until([&] { return shared_->watching == num_ranks_; });
    behave(rank, watcher);
    std::_Exit(0);
  }

  int num_ranks_;
  Shared* shared_;
};

void work_on(int, Watcher&) {
  sleep_long();
}

TEST(Watcher, TheLowestSurvivorNamesTheLostRank) {
  for (const int victim : {0, 1, 2}) {
    const Stopwatch watch;
    Host host(3, work_on);
    host.send(victim, SIGKILL);
    const std::vector<Outcome> outcomes = host.finish();
    EXPECT_LT(watch.seconds(), 10);
    const int speaker = victim == 0 ? 1 : 0;
    for (int rank = 0; rank < 3; ++rank) {
      const Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
      EXPECT_EQ(outcome.exit_code, rank == victim ? 1000 + SIGKILL : 1);
      if (rank == speaker)
        EXPECT_THAT(outcome.text, HasSubstr("lost: trainer " + std::to_string(victim) + " is gone"));
      else
        EXPECT_EQ(outcome.text, "");
    }
  }
}

TEST(Watcher, ALauncherThatStopsTheSurvivorsDoesNotSilenceThem) {
  Host host(3, work_on);
  host.send(1, SIGKILL);
  host.send(0, SIGTERM);
  host.send(2, SIGTERM);
  const std::vector<Outcome> outcomes = host.finish();
  EXPECT_EQ(outcomes[0].exit_code, 1);
  EXPECT_EQ(outcomes[2].exit_code, 1);
  EXPECT_THAT(outcomes[0].text, HasSubstr("lost: trainer 1 is gone"));
  EXPECT_THAT(outcomes[0].text + outcomes[2].text, Not(HasSubstr("asked to stop")));
  EXPECT_EQ(outcomes[2].text, "");
}

TEST(Watcher, ARequestToStopIsSaidOnce) {
  Host host(3, work_on);
  for (const int rank : {2, 1, 0}) host.send(rank, SIGTERM);
  const std::vector<Outcome> outcomes = host.finish();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 128 + SIGTERM);
  EXPECT_THAT(outcomes[0].text, HasSubstr("asked to stop"));
  EXPECT_EQ(outcomes[1].text + outcomes[2].text, "");
}

TEST(Watcher, AnOrderlyEndIsSilent) {
  Host host(3, [](int rank, Watcher& watcher) {
    watcher.stand_down();
    ::usleep(100000U + 200000U * static_cast<unsigned>(rank));  // the barrier comes before this
  });
  for (const Outcome& outcome : host.finish()) {
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.text, "");
  }
}

TEST(Watcher, AfterStandingDownSigtermEndsAtOnce) {
  Host host(1, [](int, Watcher& watcher) {
    watcher.stand_down();
    ::raise(SIGTERM);
    sleep_long();
  });
  const Outcome outcome = host.finish()[0];
  EXPECT_EQ(outcome.exit_code, 1000 + SIGTERM);
  EXPECT_EQ(outcome.text, "");
}

TEST(Watcher, ARankThatSaidWhyItEndsIsNotCalledLost) {
  Host host(3, [](int rank, Watcher& watcher) {
    if (rank != 1) sleep_long();
    std::fputs("own message\n", stderr);
    std::fflush(stderr);
    watcher.announce_failure(2, Ending::failed);
    std::_Exit(2);
  });
  const std::vector<Outcome> outcomes = host.finish();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcomes[0].text + outcomes[2].text, "");
  EXPECT_EQ(outcomes[1].text, "own message\n");
}

TEST(Watcher, AllRanksSayWhereTheyStandWhenOneSaidThatItIsStuck) {
  Host host(3, [](int rank, Watcher& watcher) {
    const status::Phase phase("training");
    if (rank != 1) sleep_long();
    wait_until([watch = Stopwatch()] { return watch.seconds() > 2.2; });
    watcher.announce_failure(1, Ending::stuck);
    std::_Exit(1);
  });
  const std::vector<Outcome> outcomes = host.finish();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 1);
  for (const std::size_t rank : {0U, 2U})
    EXPECT_THAT(outcomes[rank].text, ::testing::ContainsRegex("nothing has moved for [123] s: training"));
}

TEST(Watcher, ACallThatWaitsForOthersBeyondTheTimeoutEndsTheJob) {
  const Stopwatch watch;
  Host host(2, [](int rank, Watcher&) {
    const status::Phase phase(rank == 0 ? "reading" : "training");
    std::optional<status::Call> call;
    if (rank == 1) call.emplace("MPI_Barrier");
    sleep_long();
  });
  const std::vector<Outcome> outcomes = host.finish();
  EXPECT_LT(watch.seconds(), timeout_seconds + 10);
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcomes[1].text, HasSubstr("the job is stuck and ends (mail.timeout_seconds: 1)"));
  EXPECT_THAT(outcomes[1].text, HasSubstr(": training: MPI_Barrier"));
  EXPECT_THAT(outcomes[0].text, HasSubstr(": reading"));
}

TEST(Watcher, ARankThatIsStoppedIsNamedAndTheJobEnds) {
  Host host(3, work_on);
  host.send(1, SIGSTOP);
  ::usleep(6500000);
  host.send(1, SIGCONT);  // as launchers do before they end it
  const std::vector<Outcome> outcomes = host.finish();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 1);
  for (const std::size_t rank : {0U, 2U})
    EXPECT_THAT(outcomes[rank].text, HasSubstr("stopped (SIGSTOP; kill -CONT wakes): trainer 1"));
}

TEST(Watcher, RanksThatWorkOrAreIdleAreNotStuckHoweverLong) {
  Host host(2, [](int, Watcher& watcher) {
    const status::Phase phase("reading");
    wait_until([watch = Stopwatch()] { return watch.seconds() > 5; });
    watcher.stand_down();
    ::usleep(300000);
  });
  for (const Outcome& outcome : host.finish()) {
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.text, "");
  }
}

TEST(Watcher, WhoIsAskedToStopSaysWhereItStoodForLong) {
  Host host(1, [](int, Watcher&) {
    const status::Phase phase("saving the checkpoint of step {}", 50);
    sleep_long();
  });
  ::usleep(7000000);
  host.send(0, SIGTERM);
  const Outcome outcome = host.finish()[0];
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM);
  EXPECT_THAT(outcome.text, HasSubstr("s: saving the checkpoint of step 50"));
  EXPECT_THAT(outcome.text, HasSubstr("asked to stop"));
}

TEST(Watcher, SeveralLostRanksAreAllNamed) {
  Host host(4, work_on);
  host.send(0, SIGSTOP);  // so that it sees both at once, whatever the machine does
  host.send(1, SIGSTOP);
  host.send(2, SIGKILL);
  host.send(3, SIGKILL);
  host.send(0, SIGCONT);
  host.send(1, SIGCONT);
  const std::vector<Outcome> outcomes = host.finish();
  EXPECT_THAT(outcomes[0].text, HasSubstr("lost: trainer 2"));
  EXPECT_THAT(outcomes[0].text, HasSubstr("lost: trainer 3"));
}

TEST(Watcher, WorksForASingleRank) {
  Host host(1, work_on);
  host.send(0, SIGTERM);
  const Outcome outcome = host.finish()[0];
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM);
  EXPECT_THAT(outcome.text, HasSubstr("asked to stop"));
}

}  // namespace
}  // namespace persia::observe
