#include "serve/lookup_request.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "wire/records.hpp"

namespace persia::serve {
namespace {

template <class T>
void append(std::vector<std::byte>& body, const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  body.insert(body.end(), bytes, bytes + values.size() * sizeof(T));
}

// Ids as they are.
mail::Message lookup(std::uint32_t num_tables, const std::vector<std::uint32_t>& counts,
                     const std::vector<std::uint64_t>& ids) {
  mail::Message message{mail::PeerIndex(3), wire::MessageKind::lookup, Token(1), {}};
  append(message.body, std::vector{wire::LookupHeader{.step = 9,
                                                      .purpose = wire::LookupPurpose::evaluate,
                                                      .values = wire::ValueFormat::bf16,
                                                      .num_tables = num_tables}});
  append(message.body, counts);
  for (const std::uint32_t count : counts) append(message.body, std::vector{8 * count});
  append(message.body, ids);
  return message;
}

TEST(LookupRequest, ReadsStepPurposeFormatAndIdsByTable) {
  const mail::Message message = lookup(3, {1, 0, 2}, {7, 8, ~0ULL});
  const LookupRequest request = read_lookup(message, 3);
  EXPECT_EQ(request.step, Step(9));
  EXPECT_EQ(request.purpose, table::Purpose::evaluate);
  EXPECT_EQ(request.values, wire::ValueFormat::bf16);
  ASSERT_EQ(request.ids.size(), 3U);
  EXPECT_EQ(request.ids[0][0], FeatureId(7));
  EXPECT_TRUE(request.ids[1].empty());
  EXPECT_EQ(request.ids[2][1], FeatureId(~0ULL));
}

TEST(LookupRequest, ReadsIdsWhoseRowsTheClientHas) {
  mail::Message message{mail::PeerIndex(3), wire::MessageKind::lookup, Token(1), {}};
  append(message.body, std::vector{wire::LookupHeader{
                           .step = 9, .purpose = wire::LookupPurpose::train_some_kept, .num_tables = 2}});
  append(message.body, std::vector<std::uint32_t>{1, 0, 2, 1});   // counts
  append(message.body, std::vector<std::uint32_t>{8, 0, 16, 8});  // bytes
  append(message.body, std::vector<std::uint64_t>{5, 6, 7, 8});
  const LookupRequest request = read_lookup(message, 2);
  EXPECT_EQ(request.purpose, table::Purpose::train);
  ASSERT_EQ(request.ids.size(), 2U);
  ASSERT_EQ(request.kept.size(), 2U);
  EXPECT_EQ(request.ids[0][0], FeatureId(5));
  EXPECT_TRUE(request.ids[1].empty());
  EXPECT_EQ(request.kept[0][1], FeatureId(7));
  EXPECT_EQ(request.kept[1][0], FeatureId(8));
}

TEST(LookupRequest, RefusesAPurposeThatIsNone) {
  mail::Message message{mail::PeerIndex(3), wire::MessageKind::lookup, Token(1), {}};
  append(message.body, std::vector{wire::LookupHeader{
                           .step = 9, .purpose = static_cast<wire::LookupPurpose>(3), .num_tables = 0}});
  EXPECT_THROW((void)read_lookup(message, 0), Error);
}

// Table 0 has ids that are packed, table 1 ids that are not.
mail::Message mixed(std::uint32_t bytes_of_first) {
  mail::Message message{mail::PeerIndex(3), wire::MessageKind::lookup, Token(1), {}};
  append(message.body, std::vector{wire::LookupHeader{.step = 9, .num_tables = 2}});
  append(message.body, std::vector<std::uint32_t>{3, 1, bytes_of_first, 8});
  append(message.body, std::vector<std::uint8_t>{5, 1, 0x80, 1, 0, 0, 0, 0});
  append(message.body, std::vector<std::uint64_t>{77});
  return message;
}

TEST(LookupRequest, UnpacksIds) {
  const mail::Message message = mixed(4);
  const LookupRequest request = read_lookup(message, 2);
  EXPECT_EQ(std::vector(request.ids[0].begin(), request.ids[0].end()),
            (std::vector{FeatureId(5), FeatureId(6), FeatureId(134)}));
  EXPECT_EQ(request.ids[1][0], FeatureId(77));
  EXPECT_THROW((void)read_lookup(mixed(3), 2), Error);  // ends within an id
  EXPECT_THROW((void)read_lookup(mixed(5), 2), Error);  // a fourth
  EXPECT_THROW((void)read_lookup(mixed(2), 2), Error);  // fewer bytes than ids
}

TEST(LookupRequest, BodiesThatDoNotAddUpAreRefused) {
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 1}, {7}), 2), Error);      // an id too few
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 0}, {7, 8}), 2), Error);   // an id too many
  EXPECT_THROW((void)read_lookup(lookup(2, {1, 0}, {7}), 3), Error);      // other number of tables
  EXPECT_THROW((void)read_lookup(lookup(2, {~0U, ~0U}, {7}), 2), Error);  // absurd counts
  mail::Message unknown = lookup(2, {1, 0}, {7});
  unknown.body[10] = std::byte{wire::kNumValueFormats};  // the format
  EXPECT_THROW((void)read_lookup(unknown, 2), Error);
  for (const std::size_t bytes : {0, 8, 16, 20, 30, 38}) {
    mail::Message cut = lookup(2, {1, 0}, {7});
    cut.body.resize(bytes);
    EXPECT_THROW((void)read_lookup(cut, 2), Error);
  }
}

// Of tables of that dim.
mail::Message gradient(wire::ValueFormat format, std::size_t dim,
                       const std::vector<std::vector<float>>& blocks) {
  mail::Message message{mail::PeerIndex(0), wire::MessageKind::gradient, Token(1), {}};
  append(message.body, std::vector{wire::GradientHeader{.step = 12, .trainer = 3, .values = format}});
  for (const std::vector<float>& block : blocks) {
    const std::size_t begin = message.body.size();
    message.body.resize(begin + wire::encoded_bytes(format, {block.size() / dim, dim}));
    wire::encode_values(format, dim, block, message.body.data() + begin);
  }
  return message;
}

TEST(GradientMessage, HoldsAStepATrainerAndABlockOfValuesForEachTable) {
  const std::vector<wire::Block> blocks{{2, 2}, {0, 2}, {1, 2}};
  for (std::uint16_t number = 0; number < wire::kNumValueFormats; ++number) {
    mail::Message message =
        gradient(static_cast<wire::ValueFormat>(number), 2, {{0.5F, -2.0F, 0.0F, 1e-3F}, {}, {1e-6F, 0.0F}});
    const GradientMessage read = read_gradient(message, blocks);
    EXPECT_EQ(read.step, Step(12));
    EXPECT_EQ(read.trainer, 3);
    ASSERT_EQ(read.values.size(), 6U);
    EXPECT_NEAR(read.values[1], -2.0F, 1e-2);
    EXPECT_NEAR(read.values[3], 1e-3F, 1e-5);
    EXPECT_NEAR(read.values[4], 1e-6F, 1e-8);
    message.body.pop_back();
    EXPECT_THROW((void)read_gradient(message, blocks), Error);
    message.body.resize(message.body.size() + 3);
    EXPECT_THROW((void)read_gradient(message, blocks), Error);
  }
  mail::Message unknown = gradient(wire::ValueFormat::fp32, 1, {{1.0F}});
  unknown.body[12] = std::byte{9};  // the format
  EXPECT_THROW((void)read_gradient(unknown, std::vector<wire::Block>{{1, 1}}), Error);
}

}  // namespace
}  // namespace persia::serve
