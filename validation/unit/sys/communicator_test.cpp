// A process without MPI is one rank.
#include "sys/communicator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/error.hpp"

namespace persia::sys {
namespace {

TEST(Communicator, SelfIsOneRankAndItsCollectivesAreTheIdentity) {
  const Communicator self = Communicator::self();
  EXPECT_EQ(self.rank(), 0);
  EXPECT_EQ(self.size(), 1);
  std::array<float, 3> values = {1, 2, 3};
  self.sum(values);
  EXPECT_THAT(values, testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(self.max(-4), -4);
  EXPECT_EQ(self.min(4), 4);
  EXPECT_EQ(self.broadcast_text("x", 0), "x");
  EXPECT_THAT(self.gather_texts("x"), testing::ElementsAre("x"));
  EXPECT_THAT(self.gather(std::as_bytes(std::span(values)), 0), testing::SizeIs(12));
  self.barrier();
}

TEST(Communicator, SelfSplitsIntoSelf) {
  const Communicator self = Communicator::self();
  EXPECT_EQ(self.split(3).size(), 1);
  EXPECT_EQ(self.split(-1).size(), 1);
  EXPECT_EQ(self.split_by_host().size(), 1);
}

TEST(Communicator, WorldNeedsMpi) {
  EXPECT_THROW((void)Communicator::world(), Error);
}

TEST(Request, OfOneRankIsDoneAtOnce) {
  const Communicator self = Communicator::self();
  std::array<float, 1> value = {1};
  Request request = self.start_sum(value);
  EXPECT_TRUE(request.test());
  request.wait();
  EXPECT_TRUE(self.start_barrier().test());
}

}  // namespace
}  // namespace persia::sys
