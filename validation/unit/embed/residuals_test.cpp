#include "embed/residuals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "example.hpp"
#include "wire/values.hpp"

namespace persia::embed {
namespace {

using ::testing::ElementsAre;

constexpr auto kInt8 = wire::ValueFormat::int8;

std::vector<FeatureId> ids_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<FeatureId> ids;
  for (const std::uint64_t number : numbers) ids.emplace_back(number);
  return ids;
}

// What arrives of one gradient.
std::vector<float> sent(Residuals& store, const std::vector<FeatureId>& ids,
                        const std::vector<float>& gradients) {
  const wire::Block block{ids.size(), gradients.size() / ids.size()};
  std::vector<std::byte> bytes(wire::encoded_bytes(kInt8, block));
  store.encode(ids, gradients, bytes.data());
  std::vector<float> arrived(gradients.size());
  wire::decode_values(kInt8, block.dim, bytes.data(), arrived);
  return arrived;
}

std::vector<float> sent_without_feedback(const std::vector<float>& gradients, std::size_t dim) {
  std::vector<std::byte> bytes(wire::encoded_bytes(kInt8, {gradients.size() / dim, dim}));
  wire::encode_values(kInt8, dim, gradients, bytes.data());
  std::vector<float> arrived(gradients.size());
  wire::decode_values(kInt8, dim, bytes.data(), arrived);
  return arrived;
}

// Gradients of ids 0 .. num_ids - 1: each row's values lie far apart, so that most are below half a quantum.
std::vector<float> uneven_gradients(std::size_t num_ids, std::size_t dim, std::uint64_t step) {
  std::vector<float> gradients;
  for (std::uint64_t i = 0; i < num_ids * dim; ++i)
    gradients.push_back(static_cast<float>((i % dim == 0 ? 1.0 : 1e-3) * random_uniform(3, step, i)));
  return gradients;
}

// More ids than a chunk, no two of which share a place.
TEST(Residuals, TheSumOfWhatArrivesIsThatOfTheGradientsWithinAQuantum) {
  constexpr std::size_t kDim = 5, kIds = 300, kSteps = 400;
  std::vector<FeatureId> ids;
  for (std::uint64_t id = 0; id < kIds; ++id) ids.emplace_back(id);
  Residuals store(1 << 22, kDim);
  std::vector<double> given(kIds * kDim), arrived(kIds * kDim), plain(kIds * kDim);
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    const std::vector<float> gradients = uneven_gradients(kIds, kDim, step);
    const std::vector<float> now = sent(store, ids, gradients);
    const std::vector<float> without = sent_without_feedback(gradients, kDim);
    for (std::size_t i = 0; i < given.size(); ++i) {
      given[i] += double{gradients[i]};
      arrived[i] += double{now[i]};
      plain[i] += double{without[i]};
    }
  }
  ASSERT_EQ(store.num_dropped(), 0);
  constexpr double kQuantum = 1.01 / 127;
  double worst_plain = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    ASSERT_NEAR(arrived[i], given[i], kQuantum) << i;
    worst_plain = std::max(worst_plain, std::abs(plain[i] - given[i]));
  }
  EXPECT_GT(worst_plain, 10 * kQuantum);  // so that is what feedback is good for
}

TEST(Residuals, AnIdThatTakesAnothersPlaceDropsAndCountsWhatWasLeft) {
  Residuals store(1, 2);
  const std::vector<FeatureId> a = ids_of({1}), b = ids_of({2});
  EXPECT_THAT(sent(store, a, {127.0F, 0.4F}), ElementsAre(127.0F, 0.0F));
  EXPECT_THAT(sent(store, b, {127.0F, 0.2F}), ElementsAre(127.0F, 0.0F));  // not 0.4 of the other's
  EXPECT_EQ(store.num_dropped(), 1);
  EXPECT_THAT(sent(store, a, {127.0F, 0.4F}), ElementsAre(127.0F, 0.0F));  // its own are gone
  EXPECT_EQ(store.num_dropped(), 2);
  EXPECT_THAT(sent(store, a, {127.0F, 0.4F}), ElementsAre(127.0F, 1.0F));
}

TEST(Residuals, NothingLeftIsNothingDropped) {
  Residuals store(1, 2);
  for (const std::uint64_t id : {1U, 2U, 0U, 3U})
    EXPECT_THAT(sent(store, ids_of({id}), {127.0F, 2.0F}), ElementsAre(127.0F, 2.0F));
  EXPECT_EQ(store.num_dropped(), 0);
}

// All of one message: the first takes what was left of it before the second takes its place.
TEST(Residuals, IdsThatShareAPlaceInOneMessageDoNotMixWhatIsLeftOfThem) {
  Residuals store(1, 2);
  (void)sent(store, ids_of({1}), {127.0F, 0.4F});
  EXPECT_THAT(sent(store, ids_of({1, 2}), {127.0F, 0.4F, 127.0F, 0.3F}),
              ElementsAre(127.0F, 1.0F, 127.0F, 0.0F));
  EXPECT_EQ(store.num_dropped(), 1);
  EXPECT_THAT(sent(store, ids_of({2}), {127.0F, 0.4F}), ElementsAre(127.0F, 1.0F));
}

TEST(Residuals, AGradientThatIsNotFiniteIsSentAsSuchAndLeavesNothing) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Residuals store(8, 2);
    const std::vector<FeatureId> ids = ids_of({1});
    (void)sent(store, ids, {127.0F, 0.4F});
    for (const float arrived : sent(store, ids, {bad, 0.4F})) EXPECT_TRUE(std::isnan(arrived));
    EXPECT_THAT(sent(store, ids, {127.0F, 0.4F}), ElementsAre(127.0F, 0.0F));
  }
}

// Gradients of 0.4 beside one of 127, twice.
TEST(ClientResiduals, EveryTrainerAndTableHasItsOwn) {
  const config::Schema schema = example::schema();
  ClientResiduals stores(schema, 64);
  const auto second_value = [&](std::int32_t trainer, std::size_t table) {
    std::vector<float> gradient(static_cast<std::size_t>(schema.tables[table].table.dim), 0.4F);
    gradient[0] = 127.0F;
    std::vector<std::byte> bytes(wire::encoded_bytes(kInt8, {1, gradient.size()}));
    stores.encode(trainer, table, ids_of({5}), gradient, bytes.data());
    wire::decode_values(kInt8, gradient.size(), bytes.data(), gradient);
    return gradient[1];
  };
  for (const std::int32_t trainer : {0, 3})
    for (const std::size_t table : {0U, 1U}) EXPECT_EQ(second_value(trainer, table), 0.0F);
  for (const std::int32_t trainer : {0, 3})
    for (const std::size_t table : {0U, 1U}) EXPECT_EQ(second_value(trainer, table), 1.0F);
  EXPECT_EQ(stores.num_dropped(), 0);
}

}  // namespace
}  // namespace persia::embed
