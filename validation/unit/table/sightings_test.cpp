#include "table/sightings.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

// Few enough distinct places that many go in and out, some of which share their position.
TEST(Sightings, CountLikeAMap) {
  for (const std::int32_t wanted : {2, 3, 15}) {
    Sightings sightings;
    std::map<std::uint64_t, std::int32_t> reference;
    for (std::uint64_t i = 0; i < 300000; ++i) {
      const std::uint64_t number = random_below(3, 0, i, 5000);
      std::uint64_t place = mix64(number);
      if (number % 10 == 0) place = place << 32 | 0xFFFFFFF0U;  // all at the end, so they run on at the start
      const std::uint64_t key = place & ~std::uint64_t{15};
      const bool admitted = ++reference[key] == wanted;
      if (admitted) reference.erase(key);
      ASSERT_EQ(sightings.see(place, wanted), admitted) << i;
      ASSERT_EQ(sightings.size(), static_cast<std::int64_t>(reference.size()));
    }
    std::vector<std::uint64_t> words;
    sightings.append_to(words);
    EXPECT_EQ(words.size(), reference.size());
    for (const std::uint64_t word : words)
      EXPECT_EQ(reference[word & ~std::uint64_t{15}], static_cast<std::int32_t>(word & 15));
  }
}

TEST(Sightings, TakeAtMost22BytesAnId) {
  Sightings sightings;
  for (std::uint64_t i = 0; i < 1000000; ++i) (void)sightings.see(mix64(i), 2);
  EXPECT_EQ(sightings.size(), 1000000);
  EXPECT_LE(sightings.bytes(), 22 * 1000000);
}

TEST(Sightings, ATableMakesTheRowAtTheKthLookUpAlsoWhenSavedBetween) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1);
  schema.table.admission = {.policy = config::AdmissionPolicy::sightings, .sightings = 3};
  auto table = make_table(schema, {});
  const auto ids = ids_between(0, 100);
  EXPECT_TRUE(lookup(*table, ids).rows[5].absent());
  EXPECT_TRUE(lookup(*table, ids, Purpose::evaluate).rows[5].absent());  // does not count
  EXPECT_TRUE(lookup(*table, ids_between(0, 50)).rows[5].absent());
  auto loaded = make_table(schema, {});
  loaded->insert_sightings(table->sightings());
  for (Table* one : {table.get(), loaded.get()}) {
    const Answer third = lookup(*one, ids);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(third.rows[i].absent(), i >= 50) << i;
    EXPECT_EQ(one->statistics().rows, 50);
    EXPECT_EQ(one->sightings().size(), 50U);
  }
  EXPECT_EQ(table->statistics().not_admitted, 100 + 50 + 50);
}

}  // namespace
}  // namespace persia::table
