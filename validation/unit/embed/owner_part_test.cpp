#include "embed/owner_part.hpp"

#include <gtest/gtest.h>

#include <set>

#include "example.hpp"

namespace persia::embed {
namespace {

TEST(OwnerPart, TheOwnersPartsAreAllIdsAndAllFloatsOfABatchOnce) {
  const config::Schema schema = example::schema();
  constexpr std::int32_t kOwners = 3;
  const LookupPlan plan = make_plan(example::batch(), schema, kOwners);
  std::vector<std::multiset<FeatureId>> ids(2);
  std::vector<int> visits(static_cast<std::size_t>(plan.num_floats));
  for (std::int32_t owner = 0; owner < kOwners; ++owner) {
    const std::vector<OwnerPart> parts = parts_of(plan, schema, owner);
    ASSERT_EQ(parts.size(), 2U);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_EQ(parts[t].block.num_rows, parts[t].ids.size());
      EXPECT_EQ(parts[t].block.dim, t == 0 ? 2U : 3U);
      ids[t].insert(parts[t].ids.begin(), parts[t].ids.end());
      for (std::size_t i = 0; i < parts[t].block.num_values(); ++i) ++visits.at(parts[t].first_float + i);
    }
  }
  EXPECT_EQ(ids[0], (std::multiset{FeatureId(5), FeatureId(7), FeatureId(9)}));
  EXPECT_EQ(ids[1], (std::multiset{FeatureId(1), FeatureId(2), FeatureId(3), FeatureId(4)}));
  for (const int count : visits) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace persia::embed
