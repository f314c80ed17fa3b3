#include "model/concat.hpp"

#include "helpers.hpp"

namespace persia::model {
namespace {

TEST(Concat, PutsRowsSideBySide) {
  std::vector<float> left = {1, 2, 3, 4};
  std::vector<float> right = {5, 6};
  std::vector<float> out(6);
  concat<float>(testing::view(left, 2, 2), testing::view(right, 2, 1), testing::view(out, 2, 3));
  EXPECT_EQ(out, (std::vector<float>{1, 2, 5, 3, 4, 6}));
}

TEST(Concat, TakesNoRows) {
  std::vector<float> none;
  concat<float>(testing::view(none, 0, 0), testing::view(none, 0, 0), testing::view(none, 0, 0));
}

}  // namespace
}  // namespace persia::model
