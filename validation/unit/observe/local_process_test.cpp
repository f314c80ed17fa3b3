#include "observe/local_process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace persia::observe {
namespace {

pid_t start_sleeper() {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::sleep(60);
    ::_exit(0);
  }
  return pid;
}

TEST(LocalProcess, IsGoneOnceItDiedEvenIfNobodyWaitedForIt) {
  const pid_t pid = start_sleeper();
  LocalProcess process(pid);
  EXPECT_FALSE(process.gone());
  ::kill(pid, SIGKILL);
  pollfd entry{process.descriptor(), POLLIN, 0};
  ASSERT_GE(process.descriptor(), 0);
  EXPECT_EQ(::poll(&entry, 1, 10000), 1);
  EXPECT_TRUE(process.gone());
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(process.gone());
}

TEST(LocalProcess, IsGoneIfItNeverWas) {
  const pid_t pid = start_sleeper();
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(LocalProcess(pid).gone());
}

TEST(LocalProcess, IsThereWhileThisProcessRuns) {
  EXPECT_FALSE(LocalProcess(::getpid()).gone());
}

}  // namespace
}  // namespace persia::observe
