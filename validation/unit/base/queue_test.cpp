#include "base/queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace persia {
namespace {

using namespace std::chrono_literals;

TEST(BoundedQueue, GivesItemsInOrder) {
  BoundedQueue<int> queue(3);
  EXPECT_FALSE(queue.try_pop().has_value());
  for (const int i : {1, 2, 3}) EXPECT_TRUE(queue.push(i));
  for (const int i : {1, 2, 3}) EXPECT_EQ(queue.pop(), i);
}

TEST(BoundedQueue, MovesItemsThatCannotBeCopied) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  queue.push(std::make_unique<int>(7));
  EXPECT_EQ(**queue.pop(), 7);
}

TEST(BoundedQueue, HoldsTheProducerBackWhileFull) {
  BoundedQueue<int> queue(1);
  queue.push(1);
  std::atomic<bool> pushed{false};
  std::jthread producer([&] {
    queue.push(2);
    pushed = true;
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(pushed);
  EXPECT_EQ(queue.pop(), 1);
  producer.join();
  EXPECT_TRUE(pushed);
}

TEST(BoundedQueue, TakesCapacityZeroForOne) {
  BoundedQueue<int> queue(0);
  EXPECT_TRUE(queue.push(1));
  EXPECT_EQ(queue.pop(), 1);
}

TEST(BoundedQueue, DrainsAfterCloseAndThenEnds) {
  BoundedQueue<int> queue(2);
  queue.push(1);
  queue.close();
  EXPECT_FALSE(queue.finished());
  EXPECT_FALSE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
  EXPECT_TRUE(queue.finished());
}

TEST(BoundedQueue, WakesEveryWaiterOnClose) {
  BoundedQueue<int> empty(1), full(1);
  full.push(1);
  std::jthread popper([&] { EXPECT_EQ(empty.pop(), std::nullopt); });
  std::jthread pusher([&] { EXPECT_FALSE(full.push(2)); });
  std::this_thread::sleep_for(10ms);
  empty.close();
  full.close();
}

TEST(BoundedQueue, HandsAnExceptionOverAfterTheItemsBeforeIt) {
  BoundedQueue<int> queue(2);
  queue.push(1);
  queue.fail(std::make_exception_ptr(std::runtime_error("bad row")));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_FALSE(queue.finished());
  EXPECT_THROW((void)queue.pop(), std::runtime_error);
  EXPECT_THROW((void)queue.try_pop(), std::runtime_error);
}

TEST(BoundedQueue, LosesAndRepeatsNothingBetweenManyThreads) {
  constexpr int per_producer = 5000;
  BoundedQueue<int> queue(8);
  std::atomic<std::int64_t> sum{0};
  std::atomic<int> count{0};
  {
    std::vector<std::jthread> consumers;
    for (int c = 0; c < 3; ++c)
      consumers.emplace_back([&] {
        while (const auto item = queue.pop()) {
          sum += *item;
          ++count;
        }
      });
    {
      std::vector<std::jthread> producers;
      for (int p = 0; p < 3; ++p)
        producers.emplace_back([&, p] {
          for (int i = 0; i < per_producer; ++i) queue.push(p * per_producer + i);
        });
    }
    queue.close();
  }
  constexpr std::int64_t n = 3 * per_producer;
  EXPECT_EQ(count, n);
  EXPECT_EQ(sum, n * (n - 1) / 2);
}

}  // namespace
}  // namespace persia
