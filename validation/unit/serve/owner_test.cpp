#include "serve/owner.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/error.hpp"
#include "embed/remote_source.hpp"
#include "example.hpp"
#include "pair_of_posts.hpp"

namespace persia::serve {
namespace {

using mail::Message;
using wire::MessageKind;

// One owner and two clients whose messages are all queued before it serves.
struct OwnerTest : ::testing::Test {
  std::vector<std::unique_ptr<table::Table>> tables = example::tables();
  mail::FakePost owner{0}, client0{0}, client1{1};
  OwnerTest() {
    client0.connect(0, owner);
    client1.connect(0, owner);
    owner.connect(0, client0);
    owner.connect(1, client1);
  }

  static void look_up(mail::FakePost& client, Token token, std::int64_t step, std::uint64_t id) {
    const wire::LookupHeader header{.step = step, .num_tables = 1};
    const std::uint32_t counts[] = {1, 8};
    Message message{mail::PeerIndex(0), MessageKind::lookup, token, std::vector<std::byte>(32)};
    std::memcpy(message.body.data(), &header, 16);
    std::memcpy(message.body.data() + 16, counts, 8);
    std::memcpy(message.body.data() + 24, &id, 8);
    client.send(std::move(message));
  }
  void push(mail::FakePost& client, Token token, std::int64_t step, float value) {
    const wire::GradientHeader header{.step = step, .trainer = &client == &client1 ? 1 : 0};
    Message message{mail::PeerIndex(0), MessageKind::gradient, token, std::vector<std::byte>(24)};
    const float values[] = {value, value};
    std::memcpy(message.body.data(), &header, 16);
    std::memcpy(message.body.data() + 16, values, 8);
    client.send(std::move(message));
  }
  void end(std::uint64_t code0 = 0, std::uint64_t code1 = 0) {
    client0.send({mail::PeerIndex(0), MessageKind::final, Token(code0), {}});
    client1.send({mail::PeerIndex(0), MessageKind::final, Token(code1), {}});
  }
  int serve(config::Mode mode) {
    return serve_clients(owner, tables,
                         {.mode = mode,
                          .num_clients = 2,
                          .num_trainers = 2,
                          .first_step = Step(0),
                          .save = [](const std::string& text) { return "{\"got\":\"" + text + "\"}"; }});
  }
  static float first_value(const Message& rows) {
    float value = 0;
    std::memcpy(&value, rows.body.data(), sizeof value);
    return value;
  }
};

TEST_F(OwnerTest, HybridAppliesGradientsAsTheyComeAndConfirmsThem) {
  look_up(client0, Token(1), 0, 5);
  push(client0, Token(1), 0, 1.0F);
  look_up(client1, Token(1), 0, 5);
  push(client1, Token(1), 0, 2.0F);
  end();
  EXPECT_EQ(serve(config::Mode::hybrid), 0);
  EXPECT_EQ(client0.receive()->kind, MessageKind::rows);
  EXPECT_EQ(client0.receive()->kind, MessageKind::applied);
  EXPECT_FLOAT_EQ(first_value(client1.receive().value()), -1.0F) << "the other client's update is seen";
  EXPECT_EQ(example::values_of(*tables[0], {FeatureId(5)})[0], -3.0F);
}

TEST_F(OwnerTest, SyncAnswersAStepOnlyWhenAllUpdatesBeforeItAreApplied) {
  look_up(client0, Token(1), 0, 5);
  push(client0, Token(1), 0, 1.0F);
  look_up(client0, Token(2), 1, 5);  // must wait for client 1's step 0
  look_up(client1, Token(1), 0, 5);
  push(client1, Token(1), 0, 2.0F);
  end();
  EXPECT_EQ(serve(config::Mode::sync), 0);
  EXPECT_FLOAT_EQ(first_value(client0.receive().value()), 0.0F);
  EXPECT_EQ(client0.receive()->kind, MessageKind::applied);
  EXPECT_FLOAT_EQ(first_value(client0.receive().value()), -3.0F);
  EXPECT_FLOAT_EQ(first_value(client1.receive().value()), 0.0F) << "step 0 sees no update of step 0";
}

TEST_F(OwnerTest, ACancelledTokenTakesNoGradient) {
  look_up(client0, Token(1), 0, 5);
  client0.send({mail::PeerIndex(0), MessageKind::cancel, Token(1), {}});
  push(client0, Token(1), 0, 1.0F);
  end();
  EXPECT_THROW((void)serve(config::Mode::hybrid), Error);
}

TEST_F(OwnerTest, SyncTakesNoCancelAsItsStepWouldNeverEnd) {
  look_up(client0, Token(1), 0, 5);
  client0.send({mail::PeerIndex(0), MessageKind::cancel, Token(1), {}});
  end();
  EXPECT_THROW((void)serve(config::Mode::sync), Error);
}

TEST_F(OwnerTest, GradientsOfUnknownTokensAndWrongSizesAreRefused) {
  push(client0, Token(9), 0, 1.0F);
  EXPECT_THROW((void)serve(config::Mode::hybrid), Error);
  look_up(client1, Token(1), 0, 5);
  client1.send({mail::PeerIndex(0), MessageKind::gradient, Token(1), std::vector<std::byte>(20)});
  EXPECT_THROW((void)serve(config::Mode::hybrid), Error);
}

TEST_F(OwnerTest, SaveAndStatisticsAreAnswered) {
  client0.send({mail::PeerIndex(0), MessageKind::save, Token(0), {std::byte{'x'}}});
  client0.send({mail::PeerIndex(0), MessageKind::statistics, Token(0), {}});
  end();
  EXPECT_EQ(serve(config::Mode::hybrid), 0);
  const Message saved = client0.receive().value();
  EXPECT_EQ(saved.kind, MessageKind::saved);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(saved.body.data()), saved.body.size()),
            "{\"got\":\"x\"}");
  EXPECT_EQ(client0.receive()->kind, MessageKind::report);
}

TEST_F(OwnerTest, TheHighestExitCodeOfTheClientsIsReturned) {
  end(0, 2);
  EXPECT_EQ(serve(config::Mode::hybrid), 2);
}

}  // namespace
}  // namespace persia::serve
