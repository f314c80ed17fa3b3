// Communicators and windows over real ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "base/error.hpp"
#include "sys/communicator.hpp"
#include "sys/mpi_session.hpp"
#include "sys/window.hpp"

namespace persia::sys {
namespace {

class SysTest : public testing::Test {
 protected:
  Communicator world = Communicator::world();
  const int rank = world.rank();
  const int size = world.size();
};

TEST_F(SysTest, SessionTellsWhereItRuns) {
  EXPECT_TRUE(MpiSession::active());
  EXPECT_TRUE(MpiSession::launched());
  EXPECT_EQ(MpiSession::thread_level(), "funneled");
  EXPECT_FALSE(MpiSession::library().empty());
  EXPECT_FALSE(MpiSession::host().empty());
}

TEST_F(SysTest, SumsInPlaceOnAllRanks) {
  const int total = size * (size + 1) / 2;
  std::vector<float> floats(1000, static_cast<float>(rank + 1));
  std::vector<double> doubles(10, rank + 1.0);
  std::vector<std::int64_t> integers(3, rank + 1);
  world.sum(floats);
  world.sum(doubles);
  world.sum(integers);
  EXPECT_THAT(floats, testing::Each(static_cast<float>(total)));
  EXPECT_THAT(doubles, testing::Each(total));
  EXPECT_THAT(integers, testing::Each(total));
  EXPECT_EQ(world.max(rank), size - 1);
  EXPECT_EQ(world.min(-rank), 1 - size);
}

TEST_F(SysTest, StartedSumIsThereOnceItSaysSo) {
  std::vector<float> values(100'000, static_cast<float>(rank));
  Request request = world.start_sum(values);
  while (!request.test()) continue;
  EXPECT_TRUE(request.test());
  EXPECT_THAT(values, testing::Each(static_cast<float>(size * (size - 1) / 2)));
  world.start_sum(std::span<float>{}).wait();
}

TEST_F(SysTest, AForgottenRequestIsWaitedFor) {
  std::vector<float> values(100'000, 1.0F);
  { const Request request = world.start_sum(values); }
  EXPECT_THAT(values, testing::Each(static_cast<float>(size)));
}

TEST_F(SysTest, NobodyLeavesABarrierBeforeAllAreThere) {
  const std::uint64_t one = 1;
  std::int64_t entered = 0;
  for (int last = 0; last < size; ++last) {
    Window counter(world, 8);
    if (rank == last) counter.replace(one, 0, 0);
    if (rank == last) counter.flush(0);
    Request barrier = world.start_barrier();
    barrier.wait();
    counter.sync();
    if (rank == 0)
      entered += static_cast<std::int64_t>(
          std::atomic_ref(*reinterpret_cast<std::uint64_t*>(counter.memory().data())).load());
    world.barrier();
  }
  EXPECT_EQ(entered, rank == 0 ? size : 0);
}

TEST_F(SysTest, TextsOfAllRanksReachAll) {
  const std::vector<std::string> texts =
      world.gather_texts(std::string(static_cast<std::size_t>(rank) * 3, 'x'));
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(size));
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], std::string(3 * r, 'x'));
  EXPECT_EQ(world.broadcast_text(rank == size - 1 ? "from the last" : "mine", size - 1), "from the last");
  EXPECT_EQ(world.broadcast_text("", 0), "");
}

TEST_F(SysTest, GatheredBytesStandInRankOrder) {
  const std::vector<std::byte> mine(static_cast<std::size_t>(rank) * 1000, static_cast<std::byte>(rank));
  const std::vector<std::byte> all = world.gather(mine, size - 1);
  std::vector<std::byte> expected;
  if (rank == size - 1)
    for (int r = 0; r < size; ++r)
      expected.insert(expected.end(), static_cast<std::size_t>(r) * 1000, static_cast<std::byte>(r));
  EXPECT_EQ(all, expected);
}

TEST_F(SysTest, SplitsByColourAndLeavesOthersAlone) {
  const Communicator half = world.split(rank % 2);
  EXPECT_EQ(half.size(), (size + 1 - rank % 2) / 2);
  EXPECT_EQ(half.rank(), rank / 2);
  const Communicator first = world.split(rank == 0 ? 0 : -1);
  EXPECT_EQ(first.size(), 1);
  EXPECT_EQ(first.rank(), 0);
  EXPECT_EQ(world.split_by_host().size(), size);
}

TEST_F(SysTest, ErrorsOfMpiNameTheCallAndTheReason) {
  try {
    std::vector<std::byte> bytes(8);
    world.broadcast(bytes, size + 5);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("MPI_Bcast failed: MPI_ERR_ROOT"));
  }
}

class WindowTest : public SysTest {
 protected:
  static std::uint64_t word(const Window& window, std::size_t index) {
    auto* words = reinterpret_cast<std::uint64_t*>(window.memory().data());
    return std::atomic_ref(words[index]).load(std::memory_order_acquire);
  }
};

TEST_F(WindowTest, StartsWithZerosInPartsOfAnySize) {
  const Window window(world, rank == 0 ? 0 : 4096);
  EXPECT_EQ(window.memory().size(), rank == 0 ? 0U : 4096U);
  EXPECT_THAT(window.memory(), testing::Each(std::byte{0}));
}

TEST_F(WindowTest, BringsPayloadsBeforeTheWordThatAnnouncesThem) {
  constexpr std::size_t kWords = 1000;
  constexpr std::uint64_t kRounds = 200;
  Window window(world, (kWords + 1) * 8);
  const int next = (rank + 1) % size;
  std::int64_t wrong = 0;
  std::vector<std::uint64_t> payload(kWords);
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    std::iota(payload.begin(), payload.end(), round);
    window.put(std::as_bytes(std::span(payload)), next, 8);
    window.flush(next);
    window.replace(round, next, 0);
    window.flush(next);
    while (word(window, 0) < round) window.sync();
    for (std::size_t i = 0; i < kWords; ++i) wrong += word(window, i + 1) != round + i;
    world.barrier();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(WindowTest, ReturnsErrorsInsteadOfEndingTheJob) {
  Window window(world, 8);
  const std::uint64_t value = 1;
  EXPECT_THROW(window.replace(value, size + 3, 0), Error);
}

TEST_F(WindowTest, TellsItsComponent) {
  const Window window(world, 4096);
  EXPECT_THAT(window.component(), testing::AnyOf("sm", "rdma", "other"));
}

TEST_F(WindowTest, FreesOnceAndMoves) {
  Window first(world, 64);
  Window second = std::move(first);
  second.free();
  second.free();
}

}  // namespace
}  // namespace persia::sys
