#include <gtest/gtest.h>

#include <unordered_map>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

constexpr std::uint64_t kSalt = 0x1234567;  // of schema_with()

// The inverse of mix64, to make ids whose place hashes share bits.
std::uint64_t unmix64(std::uint64_t x) {
  const auto unshift = [](std::uint64_t y, int by) {
    std::uint64_t z = y;
    for (int known = by; known < 64; known += by) z = y ^ z >> by;
    return z;
  };
  const auto inverse = [](std::uint64_t odd) {  // Newton's steps modulo 2^64
    std::uint64_t result = odd;
    for (int step = 0; step < 5; ++step) result *= 2 - odd * result;
    return result;
  };
  x = unshift(x, 31) * inverse(0x94D049BB133111EBULL);
  x = unshift(x, 27) * inverse(0xBF58476D1CE4E5B9ULL);
  return unshift(x, 30) - 0x9E3779B97F4A7C15ULL;
}

// Ids of the fuzz: small numbers, both ends of the range, and families that share shard and tag, or all but
// the top bits.
std::uint64_t fuzz_id(std::uint64_t round, std::uint64_t k) {
  const std::uint64_t pick = random_below(11, round, 2 * k, 1000);
  const std::uint64_t number = random_below(11, round, 2 * k + 1, 60000);
  if (pick == 0) return 0;
  if (pick == 1) return ~std::uint64_t{0};
  if (pick < 10) return unmix64((number % 300) << 43 | 0x3FF12345678ULL) ^ kSalt;
  if (pick < 500)
    return unmix64(number << 45 | 0x3FFULL << 32 | (number * 2654435761U & 0xFFFFFFFFU)) ^ kSalt;
  return number;
}

// What the table must do, with a plain map. SGD, dim 1, learning rate 1.
struct Reference {
  std::unordered_map<std::uint64_t, float> rows;
  std::int64_t unseen = 0;
};

struct Fuzz {
  std::unique_ptr<Table> table;
  Reference reference;

  void round(std::uint64_t number) {
    std::vector<FeatureId> ids;
    std::unordered_map<std::uint64_t, bool> taken;
    const std::uint64_t size = random_below(12, number, 0, 600);
    for (std::uint64_t k = 0; k < size; ++k) {
      const std::uint64_t id = fuzz_id(number, k);
      if (taken.emplace(id, true).second) ids.emplace_back(id);
    }
    const bool train = random_below(12, number, 1, 3) != 0;
    const Answer answer = lookup(*table, ids, train ? Purpose::train : Purpose::evaluate);
    for (std::size_t i = 0; i < ids.size(); ++i) check(ids[i].value(), answer, i, train);
    if (!train) return;
    const auto gradients = gradients_of(ids.size(), number);
    table->update(answer.rows, gradients, Step(0));
    for (std::size_t i = 0; i < ids.size(); ++i) reference.rows[ids[i].value()] -= gradients[i];
  }

  void check(std::uint64_t id, const Answer& answer, std::size_t i, bool train) {
    auto found = reference.rows.find(id);
    if (found == reference.rows.end() && train) found = reference.rows.emplace(id, 0.0F).first;
    if (found == reference.rows.end()) ++reference.unseen;
    ASSERT_EQ(answer.rows[i].absent(), found == reference.rows.end()) << id;
    ASSERT_EQ(answer.values[i], found == reference.rows.end() ? 0.0F : found->second) << id;
  }

  void save_and_load() {
    auto loaded = make_table(table->schema(), {.seed = 1});
    table->for_each_block(1000, [&](const Table::Block& block) { loaded->insert_block(block); });
    reference.unseen = 0;
    table = std::move(loaded);
  }
};

// More than a million mixed operations: look-ups that add, look-ups that do not, updates, save and load,
// through growth.
TEST(Fuzz, AMillionMixedOperationsEqualAPlainMap) {
  auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 1);
  schema.table.init.type = config::InitType::zero;
  schema.table.optimizer.learning_rate = 1;
  Fuzz fuzz{make_table(schema, {.seed = 1}), {}};
  for (std::uint64_t number = 0; number < 2500; ++number) {
    ASSERT_NO_FATAL_FAILURE(fuzz.round(number));
    if (number % 500 == 499) fuzz.save_and_load();
  }
  (void)lookup(*fuzz.table, ids_of({0, ~std::uint64_t{0}}), Purpose::evaluate);
  EXPECT_EQ(fuzz.table->statistics().rows, static_cast<std::int64_t>(fuzz.reference.rows.size()));
  EXPECT_EQ(fuzz.table->statistics().unseen, fuzz.reference.unseen);
  EXPECT_GT(fuzz.table->statistics().rows, 90000);
}

TEST(Fuzz, TheInverseOfTheMixIsRight) {
  for (std::uint64_t x = 0; x < 1000; ++x) ASSERT_EQ(mix64(unmix64(x << 45 | x)), x << 45 | x);
}

}  // namespace
}  // namespace persia::table
