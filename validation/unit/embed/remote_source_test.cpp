#include "embed/remote_source.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "../serve/pair_of_posts.hpp"
#include "base/error.hpp"
#include "embed/owner_part.hpp"
#include "example.hpp"

namespace persia::embed {
namespace {

using mail::Message;
using wire::MessageKind;

// One client and two owners played by hand.
struct RemoteSourceTest : ::testing::Test {
  config::Schema schema = example::schema();
  data::Batch batch = example::batch();
  LookupPlan plan = make_plan(batch, schema, 2);
  mail::FakePost client{0}, owner0{0}, owner1{1};
  RemoteSource source{client, schema, 2, Audience::all_owners};
  RemoteSourceTest() {
    client.connect(0, owner0);
    client.connect(1, owner1);
    owner0.connect(0, client);
    owner1.connect(0, client);
  }

  // Answers a lookup with `floats` values, all `value`.
  static void answer(mail::FakePost& owner, Token token, std::size_t floats, float value) {
    const std::vector<float> values(floats, value);
    Message message{mail::PeerIndex(0), MessageKind::rows, token,
                    std::vector<std::byte>(floats * sizeof(float))};
    if (floats > 0) std::memcpy(message.body.data(), values.data(), message.body.size());
    owner.send(std::move(message));
  }
  [[nodiscard]] std::size_t floats_of(std::size_t owner) const {
    std::size_t floats = 0;
    for (std::size_t t = 0; t < 2; ++t)
      floats += static_cast<std::size_t>(
          (plan.tables[t].owner_begin[owner + 1] - plan.tables[t].owner_begin[owner]) *
          schema.tables[t].table.dim);
    return floats;
  }
};

TEST_F(RemoteSourceTest, RowsAreReadyWhenEveryOwnerAnswered) {
  const Token token = source.start_lookup(plan, Step(0), table::Purpose::train);
  answer(owner1, token, floats_of(1), 2.0F);
  EXPECT_TRUE(source.progress());
  EXPECT_FALSE(source.ready().has_value());
  answer(owner0, token, floats_of(0), 1.0F);
  source.progress();
  const ReadyRows ready = source.ready().value();
  EXPECT_EQ(ready.token, token);
  std::size_t ones = 0, twos = 0;
  for (const float value : ready.rows) (value == 1.0F ? ones : twos) += 1;
  EXPECT_EQ(ones, floats_of(0));
  EXPECT_EQ(twos, floats_of(1));
}

TEST_F(RemoteSourceTest, LaterLookupsWaitForEarlierOnes) {
  const Token first = source.start_lookup(plan, Step(0), table::Purpose::train);
  const Token second = source.start_lookup(plan, Step(1), table::Purpose::train);
  for (mail::FakePost* owner : {&owner0, &owner1})
    answer(*owner, second, floats_of(owner == &owner0 ? 0 : 1), 1.0F);
  source.progress();
  EXPECT_FALSE(source.ready().has_value());
  for (mail::FakePost* owner : {&owner0, &owner1})
    answer(*owner, first, floats_of(owner == &owner0 ? 0 : 1), 1.0F);
  source.progress();
  EXPECT_EQ(source.ready().value().token, first);
  EXPECT_EQ(source.ready().value().token, second);
}

// A client that keeps rows asks a second time for none of an equal batch, has them, and sends gradients of
// all.
TEST_F(RemoteSourceTest, RowsThatAreKeptAreNotSentAgain) {
  RemoteSource keeping(client, schema, 2, Audience::all_owners, 0, {}, 4);
  const Token first = keeping.start_lookup(plan, Step(0), table::Purpose::train);
  const Token second = keeping.start_lookup(plan, Step(1), table::Purpose::train);
  for (const auto& [owner, number] : {std::pair{&owner0, 0}, std::pair{&owner1, 1}}) {
    answer(*owner, first, floats_of(static_cast<std::size_t>(number)), 1.0F + static_cast<float>(number));
    answer(*owner, second, 0, 0);
    (void)owner->receive();
    wire::LookupHeader header;
    const Message lookup = owner->receive().value();
    std::memcpy(&header, lookup.body.data(), sizeof header);
    EXPECT_EQ(header.purpose, wire::LookupPurpose::train_some_kept);
  }
  keeping.progress();
  const ReadyRows of_first = keeping.ready().value();
  const ReadyRows of_second = keeping.ready().value();
  EXPECT_EQ(of_second.rows, of_first.rows);
  EXPECT_EQ(of_second.missing, 1);
  keeping.push(second, plan, Step(1), std::vector<float>(static_cast<std::size_t>(plan.num_floats), 5.0F));
  EXPECT_EQ(owner0.receive().value().body.size(),
            sizeof(wire::GradientHeader) + floats_of(0) * sizeof(float));
  EXPECT_LT(keeping.wire_bytes().sent, keeping.wire_bytes().raw);
}

TEST_F(RemoteSourceTest, ATokenStaysOpenUntilEveryOwnerAppliedItsGradient) {
  const Token token = source.start_lookup(plan, Step(0), table::Purpose::train);
  answer(owner0, token, floats_of(0), 0.0F);
  answer(owner1, token, floats_of(1), 0.0F);
  source.progress();
  (void)source.ready();
  EXPECT_EQ(source.open_tokens(), 1);
  source.push(token, plan, Step(0), std::vector<float>(static_cast<std::size_t>(plan.num_floats)));
  owner0.send({mail::PeerIndex(0), MessageKind::applied, token, {}});
  source.progress();
  EXPECT_EQ(source.open_tokens(), 1);
  owner1.send({mail::PeerIndex(0), MessageKind::applied, token, {}});
  source.progress();
  EXPECT_EQ(source.open_tokens(), 0);
}

TEST_F(RemoteSourceTest, GradientsCarryTheStepAndTheRowsOfTheLookupInItsOrder) {
  const Token token = source.start_lookup(plan, Step(0), table::Purpose::train);
  answer(owner0, token, floats_of(0), 0.0F);
  answer(owner1, token, floats_of(1), 0.0F);
  source.progress();
  (void)source.ready();
  source.push(token, plan, Step(41), std::vector<float>(static_cast<std::size_t>(plan.num_floats), 3.0F));
  EXPECT_EQ(owner0.receive()->kind, MessageKind::lookup);
  const Message gradient = owner0.receive().value();
  EXPECT_EQ(gradient.kind, MessageKind::gradient);
  EXPECT_EQ(gradient.token, token);
  ASSERT_EQ(gradient.body.size(), sizeof(wire::GradientHeader) + floats_of(0) * sizeof(float));
  std::int64_t step = 0;
  std::memcpy(&step, gradient.body.data(), sizeof step);
  EXPECT_EQ(step, 41);
}

TEST_F(RemoteSourceTest, ValuesTravelInTheFormatThatWasAskedFor) {
  for (const auto& [values, format] : {std::pair{config::MailValues::fp16, wire::ValueFormat::fp16},
                                       std::pair{config::MailValues::int8, wire::ValueFormat::int8}}) {
    RemoteSource small(client, schema, 2, Audience::all_owners, 0, {.values = values});
    const Token token = small.start_lookup(plan, Step(0), table::Purpose::train);
    for (const std::size_t o : {std::size_t{0}, std::size_t{1}}) {
      mail::FakePost& owner = o == 0 ? owner0 : owner1;
      wire::LookupHeader header;
      std::memcpy(&header, owner.receive().value().body.data(), sizeof header);
      EXPECT_EQ(header.values, format);
      Message rows{mail::PeerIndex(0), MessageKind::rows, token, {}};
      for (const OwnerPart& part : parts_of(plan, schema, static_cast<std::int32_t>(o))) {
        const std::vector<float> ones(part.block.num_values(), 127.0F);
        const std::size_t begin = rows.body.size();
        rows.body.resize(begin + wire::encoded_bytes(format, part.block));
        wire::encode_values(format, part.block.dim, ones, rows.body.data() + begin);
      }
      owner.send(std::move(rows));
    }
    small.progress();
    const ReadyRows ready = small.ready().value();
    for (const float value : ready.rows) EXPECT_EQ(value, 127.0F);
    small.push(token, plan, Step(0), std::vector<float>(static_cast<std::size_t>(plan.num_floats), 0.5F));
    EXPECT_LT(owner0.receive()->body.size(), sizeof(wire::GradientHeader) + floats_of(0) * sizeof(float));
    EXPECT_LT(small.wire_bytes().sent, small.wire_bytes().raw);
    (void)owner1.receive();
  }
}

// What owner 0 gets of a gradient of 0.3 for every value but the first of each row, which is 127.
std::vector<float> pushed(RemoteSource& source, mail::FakePost& owner, const LookupPlan& plan,
                          const config::Schema& schema, std::int32_t trainer) {
  std::vector<float> gradients(static_cast<std::size_t>(plan.num_floats), 0.3F);
  const std::vector<OwnerPart> parts = parts_of(plan, schema, 0);
  for (const OwnerPart& part : parts)
    for (std::size_t k = 0; k < part.ids.size(); ++k)
      gradients[part.first_float + k * part.block.dim] = 127.0F;
  const Token token = source.start_lookup(plan, Step(0), table::Purpose::train);
  source.push_for(trainer, token, plan, Step(0), gradients);
  std::optional<Message> message = owner.receive();
  while (message->kind != MessageKind::gradient) message = owner.receive();
  std::vector<float> arrived;
  const std::byte* from = message->body.data() + sizeof(wire::GradientHeader);
  for (const OwnerPart& part : parts) {
    std::vector<float> values(part.block.num_values());
    wire::decode_values(wire::ValueFormat::int8, part.block.dim, from, values);
    from += wire::encoded_bytes(wire::ValueFormat::int8, part.block);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i % part.block.dim > 0) arrived.push_back(values[i]);
  }
  return arrived;
}

TEST_F(RemoteSourceTest, WhatInt8LeavesOfAGradientTravelsWithTheNextOfTheSameTrainer) {
  RemoteSource small(client, schema, 2, Audience::all_owners, 0, {.values = config::MailValues::int8});
  for (const float arrives : pushed(small, owner0, plan, schema, 0)) EXPECT_EQ(arrives, 0.0F);
  for (const float arrives : pushed(small, owner0, plan, schema, 1)) EXPECT_EQ(arrives, 0.0F);
  const std::vector<float> second = pushed(small, owner0, plan, schema, 0);
  EXPECT_FALSE(second.empty());
  for (const float arrives : second) EXPECT_EQ(arrives, 1.0F);
}

TEST_F(RemoteSourceTest, WithoutResidualRowsWhatInt8LeavesIsGone) {
  RemoteSource small(client, schema, 2, Audience::all_owners, 0,
                     {.values = config::MailValues::int8, .residual_rows = 0});
  for (int i = 0; i < 3; ++i)
    for (const float arrives : pushed(small, owner0, plan, schema, 0)) EXPECT_EQ(arrives, 0.0F);
}

TEST_F(RemoteSourceTest, AWorkerGetsCompleteRowsInAnyOrderAndPushesThemForATrainer) {
  const Token first = source.start_lookup(plan, Step(0), table::Purpose::train);
  const Token second = source.start_lookup(plan, Step(1), table::Purpose::train);
  answer(owner0, second, floats_of(0), 0.0F);
  answer(owner1, second, floats_of(1), 0.0F);
  source.progress();
  EXPECT_EQ(source.ready_in_any_order().value().token, second);
  EXPECT_FALSE(source.ready_in_any_order().has_value());
  source.push_for(7, second, plan, Step(1), std::vector<float>(static_cast<std::size_t>(plan.num_floats)));
  (void)owner0.receive();
  (void)owner0.receive();
  wire::GradientHeader header;
  std::memcpy(&header, owner0.receive().value().body.data(), sizeof header);
  EXPECT_EQ(header.trainer, 7);
  EXPECT_EQ(header.step, 1);
  EXPECT_TRUE(source.is_open(first));
  EXPECT_TRUE(source.is_open(second));
  owner0.send({mail::PeerIndex(0), MessageKind::applied, second, {}});
  owner1.send({mail::PeerIndex(0), MessageKind::applied, second, {}});
  source.progress();
  EXPECT_FALSE(source.is_open(second));
}

TEST_F(RemoteSourceTest, OnlyConcernedOwnersAreAskedInHybridMode) {
  RemoteSource hybrid(client, schema, 2, Audience::concerned_owners);
  data::Batch empty;
  empty.columns = {example::lists({}), example::lists({}), example::lists({})};
  const LookupPlan nothing = make_plan(empty, schema, 2);
  const Token token = hybrid.start_lookup(nothing, Step(0), table::Purpose::train);
  EXPECT_FALSE(owner0.receive().has_value());
  EXPECT_EQ(hybrid.ready().value().token, token);
  hybrid.push(token, nothing, Step(0), {});
  EXPECT_EQ(hybrid.open_tokens(), 0);
}

TEST_F(RemoteSourceTest, WrongAnswersAreRefusedWithTheOwnersName) {
  const Token token = source.start_lookup(plan, Step(0), table::Purpose::train);
  answer(owner0, token, floats_of(0) + 1, 0.0F);
  EXPECT_THROW(source.progress(), Error);
  answer(owner1, Token(99), 1, 0.0F);
  EXPECT_THROW(source.progress(), Error);
  owner1.send({mail::PeerIndex(0), MessageKind::applied, token, {}});
  EXPECT_THROW(source.progress(), Error);
}

TEST_F(RemoteSourceTest, OtherMessagesAreKeptForTheOwnersConversation) {
  owner1.send({mail::PeerIndex(0), MessageKind::saved, Token(0), {}});
  source.progress();
  EXPECT_EQ(source.take_other().value().kind, MessageKind::saved);
  EXPECT_FALSE(source.take_other().has_value());
}

}  // namespace
}  // namespace persia::embed
