#include "data/alias_table.hpp"

#include "base/hash.hpp"
#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(AliasTable, DrawsInProportionToTheWeights) {
  const AliasTable table({1, 0, 3, 6});
  std::vector<int> counts(4);
  for (std::uint64_t i = 0; i < 100000; ++i) ++counts[table.draw(mix64(i))];
  EXPECT_NEAR(counts[0], 10000, 500);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 30000, 800);
  EXPECT_NEAR(counts[3], 60000, 800);
}

}  // namespace
}  // namespace persia::data
