#include "train/batch_server.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "../serve/pair_of_posts.hpp"
#include "fixtures.hpp"

namespace persia::train {
namespace {

using wire::MessageKind;

// A worker with one trainer and one owner, which are played by hand.
struct BatchServerTest : ::testing::Test {
  Example example;
  mail::FakePost trainer{0}, to_trainers{0}, owner{0}, to_owners{0};
  embed::RemoteSource source{to_owners, example.schema, 1, embed::Audience::concerned_owners};
  BatchServer server{to_trainers,
                     source,
                     example.schema,
                     1,
                     [this](table::Purpose, std::int32_t) {
                       return std::make_unique<BatchFeed>(example.run.data, example.schema,
                                                          example.feed_options());
                     },
                     0.2};

  BatchServerTest() {
    trainer.connect(0, to_trainers);
    to_trainers.connect(0, trainer);
    owner.connect(0, to_owners);
    to_owners.connect(0, owner);
  }

  void say(MessageKind kind, std::uint64_t token = 0, std::vector<std::byte> body = {}) {
    trainer.send({mail::PeerIndex(0), kind, Token(token), std::move(body)});
  }
  void want(const wire::WantHeader& header) {
    const auto bytes = std::as_bytes(std::span(&header, 1));
    say(MessageKind::want, 1, {bytes.begin(), bytes.end()});
  }
};

TEST_F(BatchServerTest, EndsWithTheExitCodeOfItsTrainers) {
  say(MessageKind::final, 2);
  EXPECT_EQ(server.serve(), 2);
}

TEST_F(BatchServerTest, ReportsItsTimeAndItsBytes) {
  say(MessageKind::statistics);
  say(MessageKind::final);
  EXPECT_EQ(server.serve(), 0);
  const mail::Message report = trainer.receive().value();
  EXPECT_EQ(report.kind, MessageKind::report);
  const auto* begin = reinterpret_cast<const char*>(report.body.data());
  const nlohmann::json told = nlohmann::json::parse(begin, begin + report.body.size());
  EXPECT_EQ(told.at("seconds").size(), 5U);
  EXPECT_EQ(told.at("raw_bytes"), 0);
  EXPECT_EQ(told.at("sent_bytes"), 0);
}

TEST_F(BatchServerTest, AnOwnerThatIsSilentIsNamedAndTrainersAreToldToWait) {
  want({});
  EXPECT_THAT(message_of([&] { (void)server.serve(); }),
              ::testing::AllOf(::testing::HasSubstr("owners said nothing for 0.2 s"),
                               ::testing::HasSubstr("waits for owners 0")));
  int told = 0;
  while (const std::optional<mail::Message> message = trainer.receive())
    if (message->kind == MessageKind::patience) ++told;
  EXPECT_GE(told, 2);
}

TEST_F(BatchServerTest, AFormatThatItDoesNotKnowIsRefused) {
  want({.values = static_cast<wire::ValueFormat>(wire::kNumValueFormats)});
  EXPECT_THAT(message_of([&] { (void)server.serve(); }),
              ::testing::HasSubstr("the ranks run different versions"));
}

}  // namespace
}  // namespace persia::train
