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

TEST(LocalProcess, IsStoppedBetweenSigstopAndSigcont) {
  const pid_t pid = start_sleeper();
  const LocalProcess process(pid);
  EXPECT_FALSE(process.stopped());
  ::kill(pid, SIGSTOP);
  int status = 0;
  ::waitpid(pid, &status, WUNTRACED);
  EXPECT_TRUE(process.stopped());
  ::kill(pid, SIGCONT);
  ::waitpid(pid, &status, WCONTINUED);
  EXPECT_FALSE(process.stopped());
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_FALSE(process.stopped());
}

}  // namespace
}  // namespace persia::observe
