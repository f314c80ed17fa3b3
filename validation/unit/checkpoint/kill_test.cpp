// A saver is killed before every single system call that may change something, and at random moments. The
// newest checkpoint found afterwards is always complete, verified and one of the last two.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

namespace fs = std::filesystem;

// Calls before which a kill is the same as a kill before the next one: they leave the disk alone.
const std::set<std::uint64_t> harmless_calls = {
    SYS_read,       SYS_pread64,    SYS_close,   SYS_lseek,         SYS_fstat,     SYS_newfstatat,
    SYS_statx,      SYS_getdents64, SYS_fcntl,   SYS_mmap,          SYS_munmap,    SYS_mremap,
    SYS_brk,        SYS_mprotect,   SYS_madvise, SYS_futex,         SYS_ioctl,     SYS_faccessat,
    SYS_readlinkat, SYS_getpid,     SYS_gettid,  SYS_clock_gettime, SYS_getrandom, SYS_rt_sigprocmask};

std::vector<Tables> small_tables() {
  std::vector<Tables> owners;
  for (std::int32_t owner = 0; owner < 2; ++owner) {
    owners.push_back(make_tables({schema_of("t", config::Precision::fp32, config::OptimizerType::adagrad)}));
    train_rows(*owners.back()[0], {1, 2, 3, 4, 5}, owner, 2);
  }
  return owners;
}

class Kill : public CheckpointTest {
 protected:
  // What a start after the crash does.
  void check(std::int64_t before, std::int64_t during) {
    const std::optional<fs::path> newest = find_newest(folder_);
    ASSERT_TRUE(newest);
    const Manifest manifest = read_manifest(*newest);
    EXPECT_TRUE(manifest.step == Step(before) || manifest.step == Step(during)) << manifest.step.value();
    verify(*newest, manifest);
    Tables tables = make_tables({schema_of("t", config::Precision::fp32, config::OptimizerType::adagrad)});
    EXPECT_EQ(load_tables(*newest, manifest, OwnerIndex(0), 1, tables), 5);
  }

  // Returns false once the child got through its save before the n-th call that may change something.
  bool save_until_call(std::int64_t step, int n) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      save_all(folder_, step, owners_, 1);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status)) {
      __ptrace_syscall_info info{};
      const long size = ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
      if (size > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY && !harmless_calls.contains(info.entry.nr) &&
          --n == 0) {
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return true;
      }
      ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
      ::waitpid(child, &status, 0);
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return false;
  }

  // Kills at call 1, 2, 3, ... of a save of `step` over a directory that holds step 1; returns the calls.
  int kill_at_every_call(std::int64_t step) {
    for (int n = 1;; ++n) {
      fs::remove_all(folder_);
      save_all(folder_, 1, owners_, 1);
      if (!save_until_call(step, n)) return n - 1;
      check(1, step);
      save_all(folder_, 3, owners_, 1);  // and the next save finds nothing in its way
      check(3, 3);
      const auto entries = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
      EXPECT_EQ(entries, 2) << "leftovers after a kill at call " << n;  // LATEST and step 3
    }
  }

  std::vector<Tables> owners_ = small_tables();
};

bool may_trace() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(Kill, BeforeAnySystemCallOfASaveLeavesACheckpoint) {
  if (!may_trace()) GTEST_SKIP() << "processes may not be traced here";
  EXPECT_GT(kill_at_every_call(2), 30);
}

TEST_F(Kill, BeforeAnySystemCallOfAReplacementLeavesACheckpoint) {
  if (!may_trace()) GTEST_SKIP() << "processes may not be traced here";
  EXPECT_GT(kill_at_every_call(1), 30);
}

TEST_F(Kill, AtRandomMomentsLeavesACheckpoint) {
  const Stopwatch watch;
  save_all(folder_, 1, owners_, 1);
  const auto two_saves_us = static_cast<std::uint64_t>(2e6 * watch.seconds());
  std::int64_t newest = 1;
  for (std::uint64_t round = 0; round < 60; ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      for (std::int64_t step = newest + 1;; ++step) save_all(folder_, step, owners_, 1);
    ::usleep(static_cast<unsigned>(random_below(1, 0, round, 2000 + two_saves_us)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::optional<fs::path> found = find_newest(folder_);
    ASSERT_TRUE(found);
    const Manifest manifest = read_manifest(*found);
    EXPECT_GE(manifest.step, Step(newest));
    verify(*found, manifest);
    newest = manifest.step.value();
  }
  EXPECT_GT(newest, 1);
}

}  // namespace
}  // namespace persia::checkpoint
