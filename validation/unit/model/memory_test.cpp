#include "model/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "model/matrix.hpp"

namespace persia::model {
namespace {

TEST(Memory, CopiesThereAndBack) {
  const std::vector<float> values = {1, 2, 3};
  const Kokkos::View<float*, Memory> there("test", 3);
  copy_from_host(values, {there.data(), 3});
  std::vector<float> back(3);
  copy_to_host({there.data(), 3}, back);
  EXPECT_EQ(back, values);
}

TEST(Memory, RefusesUnequalSizes) {
  std::vector<float> two(2), three(3);
  EXPECT_ANY_THROW(copy_to_host(two, three));
}

}  // namespace
}  // namespace persia::model
