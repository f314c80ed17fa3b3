#include "base/strong.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace persia {
namespace {

TEST(Strong, NeverConvertsByItself) {
  static_assert(!std::is_convertible_v<std::uint64_t, FeatureId>);
  static_assert(!std::is_convertible_v<FeatureId, std::uint64_t>);
  static_assert(!std::is_constructible_v<OwnerIndex, TrainerIndex>);
  static_assert(std::is_constructible_v<FeatureId, std::uint64_t>);
}

TEST(Strong, HasTheSizeAndLayoutOfItsNumber) {
  static_assert(sizeof(FeatureId) == 8 && sizeof(RowSlot) == 4);
  static_assert(std::is_trivially_copyable_v<Token> && std::is_standard_layout_v<Token>);
}

TEST(Strong, ComparesAndHashesAsItsNumber) {
  EXPECT_EQ(FeatureId(3), FeatureId(3));
  EXPECT_LT(OwnerIndex(-1), OwnerIndex(0));
  EXPECT_EQ(Step().value(), 0);
  EXPECT_EQ((std::unordered_set<FeatureId>{FeatureId(1), FeatureId(1), FeatureId(2)}).size(), 2U);
}

}  // namespace
}  // namespace persia
