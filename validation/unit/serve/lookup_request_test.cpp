#include "serve/lookup_request.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "wire/records.hpp"

namespace persia::serve {
namespace {

mail::Message lookup(std::uint32_t num_tables, const std::vector<std::uint32_t>& counts,
                     const std::vector<std::uint64_t>& ids) {
  const wire::LookupHeader header{.step = 9, .purpose = 1, .num_tables = num_tables};
  mail::Message message{mail::PeerIndex(3), wire::MessageKind::lookup, Token(1), {}};
  message.body.resize(sizeof header + counts.size() * 4 + ids.size() * 8);
  std::memcpy(message.body.data(), &header, sizeof header);
  std::memcpy(message.body.data() + sizeof header, counts.data(), counts.size() * 4);
  std::memcpy(message.body.data() + sizeof header + counts.size() * 4, ids.data(), ids.size() * 8);
  return message;
}

TEST(LookupRequest, ReadsStepPurposeAndIdsByTable) {
  const mail::Message message = lookup(3, {1, 0, 2, 0}, {7, 8, ~0ULL});
  const LookupRequest request = read_lookup(message, 3);
  EXPECT_EQ(request.step, Step(9));
  EXPECT_EQ(request.purpose, table::Purpose::evaluate);
  ASSERT_EQ(request.ids.size(), 3U);
  EXPECT_EQ(request.ids[0][0], FeatureId(7));
  EXPECT_TRUE(request.ids[1].empty());
  EXPECT_EQ(request.ids[2][1], FeatureId(~0ULL));
}

TEST(LookupRequest, BodiesThatDoNotAddUpAreRefused) {
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 1}, {7}), 2), Error);      // an id too few
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 0}, {7, 8}), 2), Error);   // an id too many
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 0}, {7}), 3), Error);      // other number of tables
  EXPECT_THROW((void)read_lookup(lookup(2, {~0U, ~0U}, {7}), 2), Error);  // absurd counts
  mail::Message cut = lookup(2, {1, 0}, {7});
  for (const std::size_t bytes : {0, 8, 16, 20, 30}) {
    cut.body.resize(std::min(cut.body.size(), bytes));
    EXPECT_THROW((void)read_lookup(cut, 2), Error);
    cut = lookup(2, {1, 0}, {7});
  }
}

TEST(GradientMessage, HoldsAStepATrainerAndWholeFloats) {
  mail::Message message{mail::PeerIndex(0), wire::MessageKind::gradient, Token(1),
                        std::vector<std::byte>(24)};
  const wire::GradientHeader header{.step = 12, .trainer = 3};
  const float values[] = {0.5F, -2.0F};
  std::memcpy(message.body.data(), &header, 16);
  std::memcpy(message.body.data() + 16, values, 8);
  const GradientMessage gradient = read_gradient(message);
  EXPECT_EQ(gradient.step, Step(12));
  EXPECT_EQ(gradient.trainer, 3);
  EXPECT_EQ(gradient.values[1], -2.0F);
  message.body.resize(23);
  EXPECT_THROW((void)read_gradient(message), Error);
  message.body.resize(12);
  EXPECT_THROW((void)read_gradient(message), Error);
}

}  // namespace
}  // namespace persia::serve
