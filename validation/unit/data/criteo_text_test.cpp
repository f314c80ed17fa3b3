#include "data/criteo_text.hpp"

#include <set>

#include "fixtures.hpp"

namespace persia::data {
namespace {

TEST(CategoryWord, IsDifferentForDifferentIds) {
  std::set<std::uint32_t> words;
  for (std::uint32_t id = 0; id < 200000; ++id) words.insert(category_word(1, id));
  EXPECT_EQ(words.size(), 200000U);
}

}  // namespace
}  // namespace persia::data
