// Sums over several trainers: validation/mpi/train_test.cpp.
#include "train/reduce_box.hpp"

#include <gtest/gtest.h>

#include <array>

namespace persia::train {
namespace {

TEST(ReduceBox, WithOneTrainerASumIsWhatItWasAndNobodyServes) {
  const sys::Communicator alone = sys::Communicator::self();
  ReduceBox box(alone);
  std::array<float, 2> values{1.5F, -2};
  std::array<double, 1> totals{3};
  box.sum(values, totals);
  EXPECT_EQ(values, (std::array<float, 2>{1.5F, -2}));
  EXPECT_EQ(totals[0], 3);
  EXPECT_FALSE(box.busy());
  EXPECT_FALSE(box.service());
  box.close();
}

}  // namespace
}  // namespace persia::train
