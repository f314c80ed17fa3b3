// Fails on the last rank only: ctest expects that the whole program fails.
#include <gtest/gtest.h>

#include "sys/communicator.hpp"

namespace persia {
namespace {

TEST(Harness, FailsOnTheLastRankOnly) {
  const sys::Communicator world = sys::Communicator::world();
  EXPECT_NE(world.rank(), world.size() - 1);
}

}  // namespace
}  // namespace persia
