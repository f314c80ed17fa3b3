#include "train/compute_thread.hpp"

#include <future>
#include <numeric>

#include "base/clock.hpp"
#include "fixtures.hpp"
#include "sys/kokkos_session.hpp"

namespace persia::train {
namespace {

std::shared_ptr<void> no_session() {
  return nullptr;
}

TEST(ComputeThread, RunsKokkosWithTheThreadsItWasGiven) {
  int threads = 0;
  kokkos_thread().call([&] { threads = sys::KokkosSession::threads(); });
  EXPECT_EQ(threads, 1);
}

TEST(ComputeThread, ThrowsWhatStartingThrew) {
  EXPECT_THROW(ComputeThread(0, -1), UserError);
}

TEST(ComputeThread, RunsClosuresInOrderInOneThreadOfItsOwn) {
  ComputeThread compute(no_session);
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 100; ++i)
    compute.post([&, i] {
      order.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
  compute.wait_idle();
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
  for (const std::thread::id id : threads) EXPECT_EQ(id, threads.front());
  EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST(ComputeThread, KeepsTheFirstErrorOfAPostAndDropsWhatFollows) {
  ComputeThread compute(no_session);
  bool ran = false;
  compute.post([] { fail("first"); });
  compute.post([] { fail("second"); });
  compute.post([&] { ran = true; });
  compute.wait_idle();
  EXPECT_EQ(message_of([&] { compute.check(); }), "first");
  EXPECT_EQ(message_of([&] { compute.call([&] { ran = true; }); }), "first");
  compute.wait_idle();
  EXPECT_FALSE(ran);
}

TEST(ComputeThread, AnErrorOfACallIsTheCallersAndTheThreadGoesOn) {
  ComputeThread compute(no_session);
  EXPECT_EQ(message_of<UserError>([&] { compute.call([] { fail_user("mine"); }); }), "mine");
  EXPECT_NO_THROW(compute.check());
  bool ran = false;
  compute.call([&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(ComputeThread, FinishRunsTheCleanUpInTheThreadEvenAfterAnError) {
  bool session_open = true, was_open = false;
  ComputeThread compute([&] { return std::shared_ptr<void>(nullptr, [&](void*) { session_open = false; }); });
  compute.post([] { fail("broken"); });
  std::thread::id cleaner;
  compute.finish([&] {
    cleaner = std::this_thread::get_id();
    was_open = session_open;
  });
  EXPECT_NE(cleaner, std::this_thread::get_id());
  EXPECT_NE(cleaner, std::thread::id());
  EXPECT_TRUE(was_open) << "the clean-up still has its session";
  EXPECT_FALSE(session_open);
}

TEST(ComputeThread, DestructionFinishesTheClosureUnderWayAndDropsTheOthers) {
  std::promise<void> entered;
  bool finished = false, dropped = true;
  {
    ComputeThread compute(no_session);
    compute.post([&] {
      entered.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      finished = true;
    });
    compute.post([&] { dropped = false; });
    entered.get_future().wait();
  }
  EXPECT_TRUE(finished);
  EXPECT_TRUE(dropped);
}

TEST(ComputeThread, TellsWhenItsLastClosureEnded) {
  ComputeThread compute(no_session);
  const double before = now_seconds();
  compute.post([] {});
  compute.wait_idle();
  EXPECT_GE(compute.idle_since(), before);
  EXPECT_LE(compute.idle_since(), now_seconds());
}

}  // namespace
}  // namespace persia::train
