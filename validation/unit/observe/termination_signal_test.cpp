#include "observe/termination_signal.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <thread>

#include "base/error.hpp"

namespace persia::observe {
namespace {

TEST(TerminationSignal, GivesSignalsInsteadOfEndingTheProcess) {
  TerminationSignal signal;
  EXPECT_EQ(signal.take(), std::nullopt);
  ::kill(::getpid(), SIGTERM);
  pollfd entry{signal.descriptor(), POLLIN, 0};
  ASSERT_EQ(::poll(&entry, 1, 10000), 1);
  EXPECT_EQ(signal.take(), 0);
  TerminationSignal::send(::getpid(), 2);
  ASSERT_EQ(::poll(&entry, 1, 10000), 1);
  EXPECT_EQ(signal.take(), 2);
  EXPECT_EQ(signal.take(), std::nullopt);
}

TEST(TerminationSignal, WorksWithThreadsThatWereThereBefore) {
  std::atomic<bool> stop = false;
  std::thread earlier([&] {
    while (!stop) std::this_thread::yield();
  });
  {
    TerminationSignal signal;
    ::pthread_kill(earlier.native_handle(), SIGTERM);
    pollfd entry{signal.descriptor(), POLLIN, 0};
    EXPECT_EQ(::poll(&entry, 1, 10000), 1);
    EXPECT_EQ(signal.take(), 0);
  }
  stop = true;
  earlier.join();
}

TEST(TerminationSignal, RestoresWhatWasBefore) {
  {
    TerminationSignal signal;
    signal.restore();
  }
  EXPECT_EXIT(
      {
        { TerminationSignal signal; }
        ::kill(::getpid(), SIGTERM);
        ::sleep(10);
        std::exit(0);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(TerminationSignal, IsOnePerProcess) {
  TerminationSignal signal;
  EXPECT_THROW(TerminationSignal(), Error);
}

}  // namespace
}  // namespace persia::observe
