#include "train/worker_watch.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace persia::train {
namespace {

constexpr double kTimeout = 8;
constexpr WorkerSweep kReads{.awaits_files = true};
constexpr WorkerSweep kWaitsForRows{.awaits_rows = true};
constexpr WorkerSweep kWaitsForUpdates{.awaits_gradients = true};

// A sweep each second, from the clock's `begin` on.
void repeat(WorkerWatch& watch, const WorkerSweep& sweep, int begin, int end) {
  for (int second = begin; second < end; ++second) watch.add(sweep, second);
}

TEST(WorkerWatch, OwnersThatAreSilentForTheTimeoutAreStuck) {
  for (const WorkerSweep& waits : {kWaitsForRows, kWaitsForUpdates}) {
    WorkerWatch watch(kTimeout);
    watch.add({}, 99);
    repeat(watch, waits, 100, 107);
    EXPECT_FALSE(watch.owners_are_stuck());
    watch.add(waits, 107);
    EXPECT_TRUE(watch.owners_are_stuck());
  }
}

TEST(WorkerWatch, AWordOfAnOwnerBeginsTheTimeAnew) {
  WorkerWatch watch(kTimeout);
  repeat(watch, kWaitsForRows, 100, 107);
  watch.add({.moved = true, .owners_moved = true, .awaits_rows = true}, 107);
  repeat(watch, kWaitsForRows, 108, 115);
  EXPECT_FALSE(watch.owners_are_stuck());
  watch.add(kWaitsForRows, 115);
  EXPECT_TRUE(watch.owners_are_stuck());
}

TEST(WorkerWatch, TimeInWhichSomeWorkerReadsDoesNotCount) {
  WorkerWatch own(kTimeout), other(kTimeout);
  repeat(own, {.awaits_files = true, .awaits_rows = true}, 100, 1000);
  EXPECT_FALSE(own.owners_are_stuck());
  for (int second = 100; second < 1000; ++second)
    other.add({.others_read = second % 2 == 0, .awaits_rows = true}, second);
  EXPECT_FALSE(other.owners_are_stuck());
}

TEST(WorkerWatch, NothingIsStuckWhereNothingIsWanted) {
  WorkerWatch watch(kTimeout);
  repeat(watch, {}, 100, 1000);
  EXPECT_FALSE(watch.owners_are_stuck());
  EXPECT_FALSE(watch.take_notice());
}

TEST(WorkerWatch, TrainersHearFourTimesInTheTimeoutWhatIsWaitedFor) {
  for (const auto& [sweep, expected] :
       {std::pair(kReads, wire::Waits::files), std::pair(kWaitsForRows, wire::Waits::owners),
        std::pair(kWaitsForUpdates, wire::Waits::owners)}) {
    WorkerWatch watch(kTimeout);
    watch.add({}, 99);
    int notices = 0;
    for (int second = 100; second <= 107; ++second) {
      watch.add(sweep, second);
      const std::optional<wire::Waits> notice = watch.take_notice();
      if (!notice) continue;
      ++notices;
      EXPECT_EQ(*notice, expected);
    }
    EXPECT_EQ(notices, 4);
  }
}

TEST(WorkerWatch, OtherMovementDoesNotSilenceAWorkerThatReads) {
  WorkerWatch watch(kTimeout);
  watch.add({}, 99);
  repeat(watch, {.moved = true, .owners_moved = true, .awaits_files = true}, 100, 102);
  EXPECT_EQ(watch.take_notice(), wire::Waits::files);
}

TEST(WorkerWatch, SharesAllTimeSinceTheFirstBatchWanted) {
  WorkerWatch watch(kTimeout);
  watch.add({}, 100);
  watch.add({.moved = true, .awaits_files = true}, 110);  // the first: what was before does not count
  watch.add(kReads, 111);
  watch.add({.moved = true, .awaits_rows = true}, 113);
  watch.add({.awaits_files = true, .awaits_rows = true}, 117);
  watch.add({.moved = true, .owners_moved = true, .pool_seconds = 6}, 125);
  watch.add({}, 141);
  const WorkerTimes& times = watch.times();
  EXPECT_EQ(times.read, 1);
  EXPECT_EQ(times.lookup_wait, 4);
  EXPECT_EQ(times.pool, 6);
  EXPECT_EQ(times.send, 2 + 2);
  EXPECT_EQ(times.idle, 16);
  EXPECT_EQ(to_json(times),
            (nlohmann::json{{"read", 1}, {"lookup_wait", 4}, {"idle", 16}, {"pool", 6}, {"send", 4}}));
}

}  // namespace
}  // namespace persia::train
