#include "base/status_board.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace persia::status {
namespace {

TEST(StatusBoard, SaysPhasesCallAndTextFromTheOutermostOn) {
  const Phase training("training");
  const Phase saving("saving the checkpoint of step {}", 50);
  EXPECT_EQ(read().text, "training: saving the checkpoint of step 50");
  tell("waiting for owner 1", Waits::for_others);
  const Call call("MPI_Put to rank {}", 3);
  EXPECT_EQ(read().text,
            "training: saving the checkpoint of step 50: waiting for owner 1: MPI_Put to rank 3");
}

TEST(StatusBoard, ForgetsAPhaseThatIsOver) {
  { const Phase phase("training"); }
  EXPECT_EQ(read().text, "");
  EXPECT_EQ(read().waits, Waits::for_nobody);
}

TEST(StatusBoard, WhatWasToldHoldsUntilSomethingMoves) {
  tell("waiting for owner 1", Waits::for_others);
  EXPECT_EQ(read().waits, Waits::for_others);
  mark_movement();
  EXPECT_EQ(read().text, "");
  EXPECT_EQ(read().waits, Waits::for_nobody);
}

TEST(StatusBoard, ACallWaitsForOthersUnlessThePhaseIsOneOfWaitingForTheSlow) {
  {
    const Call call("MPI_Barrier");
    EXPECT_EQ(read().waits, Waits::for_others);
  }
  const Phase patient("waiting for owners to save", 0, Waits::for_the_slow);
  const Phase inner("agreeing");
  const Call call("MPI_Allreduce");
  EXPECT_EQ(read().waits, Waits::for_the_slow);
}

TEST(StatusBoard, ADetailStandsBehindItsPhaseWhileItLasts) {
  const Phase serving("serving");
  {
    const Detail detail("updating table {}", 3);
    EXPECT_EQ(read().text, "serving: updating table 3");
  }
  EXPECT_EQ(read().text, "serving");
}

TEST(StatusBoard, EveryChangeOfPhaseAndEveryCallThatReturnsIsAMovement) {
  const std::uint64_t before = read().movements;
  {
    const Phase phase("training");
    EXPECT_GT(read().movements, before);
  }
  const std::uint64_t between = read().movements;
  { const Call call("MPI_Barrier"); }
  EXPECT_GT(read().movements, between);
}

TEST(StatusBoard, IsReadWhileItIsWritten) {
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      const Status status = read();
      EXPECT_TRUE(status.text.empty() || status.text.starts_with("training step ")) << status.text;
    }
  });
  for (int i = 0; i < 20000; ++i) {
    const Phase phase("training step {}", i);
    const Call call("MPI_Barrier");
    tell("waiting for owner 1", Waits::for_others);
  }
  done = true;
  reader.join();
}

TEST(SweepReport, AsksForATextOnlyWhenNothingMovesForASecond) {
  SweepReport report;
  int asked = 0;
  const auto say = [&] { ++asked; };
  report.sweep(true, say);
  report.sweep(false, say);
  report.sweep(false, say);
  EXPECT_EQ(asked, 0);
  ::usleep(1050000);
  report.sweep(false, say);
  report.sweep(false, say);
  EXPECT_EQ(asked, 1);
  report.sweep(true, say);
  report.sweep(false, say);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace persia::status
