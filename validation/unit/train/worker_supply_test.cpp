#include "train/worker_supply.hpp"

#include <cstring>

#include "../serve/pair_of_posts.hpp"
#include "fixtures.hpp"
#include "train/ready_batch.hpp"

namespace persia::train {
namespace {

using mail::Message;
using wire::MessageKind;

// Trainer 1 of a job with two workers, which are played by hand.
struct WorkerSupplyTest : ::testing::Test {
  Example example;
  mail::FakePost trainer{1}, worker0{0}, worker1{1};
  WorkerSupply supply{trainer, example.schema, config::Mode::hybrid, 1, 2};
  WorkerSupply in_order{trainer, example.schema, config::Mode::sync, 1, 2};

  WorkerSupplyTest() {
    trainer.connect(0, worker0);
    trainer.connect(1, worker1);
    worker0.connect(1, trainer);
    worker1.connect(1, trainer);
  }

  static void answer(mail::FakePost& worker, const Flight& flight, std::int64_t rows = 0) {
    data::Batch batch;
    batch.global_rows = 4;
    worker.send({mail::PeerIndex(1), MessageKind::ready, flight.token,
                 write_ready(batch, {}, {.rows = rows}, wire::ValueFormat::fp32)});
  }
  static void say_end(mail::FakePost& worker, const Flight& flight) {
    worker.send({mail::PeerIndex(1), MessageKind::no_batch, flight.token, write_no_batch(nullptr, {})});
  }
  static wire::WantHeader want_of(const Message& message) {
    wire::WantHeader header;
    EXPECT_EQ(message.kind, MessageKind::want);
    EXPECT_EQ(message.body.size(), sizeof header);
    std::memcpy(&header, message.body.data(), sizeof header);
    return header;
  }
};

TEST_F(WorkerSupplyTest, AsksWorkersInTurnForBatchesByNumber) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight flights[3];
  for (int i = 0; i < 3; ++i) {
    flights[i].lookup_step = Step(100 + i);
    EXPECT_TRUE(pass->start(flights[i]));
  }
  for (const std::int64_t number : {0, 2}) {
    const wire::WantHeader want = want_of(worker1.receive().value());
    EXPECT_EQ(want.number, number);
    EXPECT_EQ(want.step, 100 + number);
    EXPECT_EQ(want.pass, 0U);
    EXPECT_EQ(want.values, wire::ValueFormat::fp32);
  }
  EXPECT_EQ(want_of(worker0.receive().value()).number, 1);
  EXPECT_EQ(supply.open_tokens(), 3);
}

TEST_F(WorkerSupplyTest, WhateverIsReadyFirstLandsFirstInHybridTraining) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight first, second;
  EXPECT_TRUE(pass->start(first));
  EXPECT_TRUE(pass->start(second));
  answer(worker0, second);
  EXPECT_TRUE(supply.progress());
  EXPECT_EQ(supply.landed(), &second);
  EXPECT_EQ(supply.landed(), nullptr);
  answer(worker1, first);
  supply.progress();
  EXPECT_EQ(supply.landed(), &first);
}

TEST_F(WorkerSupplyTest, SyncModeAndEvaluationsKeepTheOrder) {
  for (const auto purpose : {table::Purpose::train, table::Purpose::evaluate}) {
    const auto pass = in_order.open(purpose, {});
    Flight first, second;
    EXPECT_TRUE(pass->start(first));
    EXPECT_TRUE(pass->start(second));
    answer(worker0, second);
    in_order.progress();
    EXPECT_EQ(in_order.landed(), nullptr);
    answer(worker1, first);
    in_order.progress();
    EXPECT_EQ(in_order.landed(), &first);
    EXPECT_EQ(in_order.landed(), &second);
  }
}

TEST_F(WorkerSupplyTest, EveryEvaluationHasANumberOfItsOwnAndOpensNoToken) {
  for (const std::uint32_t number : {1U, 2U}) {
    const auto pass = supply.open(table::Purpose::evaluate, {});
    Flight flight;
    EXPECT_TRUE(pass->start(flight));
    EXPECT_EQ(want_of(worker1.receive().value()).pass, number);
  }
  EXPECT_EQ(supply.open_tokens(), 0);
}

TEST_F(WorkerSupplyTest, ATokenIsOpenUntilItsWorkerSaysThatTheGradientIsApplied) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight flight;
  EXPECT_TRUE(pass->start(flight));
  (void)worker1.receive();
  answer(worker1, flight);
  supply.progress();
  EXPECT_EQ(supply.landed(), &flight);
  flight.d_embedded = {1, 2};
  supply.push(flight);
  const Message pooled = worker1.receive().value();
  EXPECT_EQ(pooled.kind, MessageKind::pooled);
  EXPECT_EQ(pooled.token, flight.token);
  EXPECT_EQ(read_pooled(pooled, 2, wire::ValueFormat::fp32)[1], 2.0F);
  EXPECT_EQ(supply.open_tokens(), 1);
  worker1.send({mail::PeerIndex(1), MessageKind::applied, flight.token, {}});
  supply.progress();
  EXPECT_EQ(supply.open_tokens(), 0);
}

TEST_F(WorkerSupplyTest, TheEndOfDataEndsThePassAndClosesTheToken) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight last, behind;
  EXPECT_TRUE(pass->start(last));
  EXPECT_TRUE(pass->start(behind));
  say_end(worker0, behind);
  supply.progress();
  EXPECT_EQ(supply.landed(), &behind);
  EXPECT_TRUE(behind.no_batch);
  EXPECT_TRUE(pass->finished());
  EXPECT_EQ(supply.open_tokens(), 1);
  Flight none;
  EXPECT_FALSE(pass->start(none));
  answer(worker1, last);
  supply.progress();
  EXPECT_EQ(supply.landed(), &last);
}

TEST_F(WorkerSupplyTest, CountsAreTheLastOfEveryWorker) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight flights[3];
  for (Flight& flight : flights) EXPECT_TRUE(pass->start(flight));
  answer(worker1, flights[0], 10);
  answer(worker0, flights[1], 20);
  answer(worker1, flights[2], 30);
  supply.progress();
  EXPECT_EQ(pass->counts().rows, 50);
}

TEST_F(WorkerSupplyTest, GradientsTravelInTheFormatThatTheBatchWasWantedIn) {
  WorkerSupply halves(trainer, example.schema, config::Mode::hybrid, 1, 2, wire::ValueFormat::fp16);
  const auto pass = halves.open(table::Purpose::train, {});
  Flight flight;
  EXPECT_TRUE(pass->start(flight));
  EXPECT_EQ(want_of(worker1.receive().value()).values, wire::ValueFormat::fp16);
  flight.d_embedded = {1, 2};
  halves.push(flight);
  const Message pooled = worker1.receive().value();
  EXPECT_EQ(pooled.body.size(), wire::encoded_bytes(wire::ValueFormat::fp16, {1, 2}));
  EXPECT_EQ(read_pooled(pooled, 2, wire::ValueFormat::fp16), flight.d_embedded);
}

TEST_F(WorkerSupplyTest, AWorkerThatWaitsCountsAsMovement) {
  for (const wire::Waits waits : {wire::Waits::files, wire::Waits::owners}) {
    worker0.send({mail::PeerIndex(1), MessageKind::patience, Token(static_cast<std::uint64_t>(waits)), {}});
    EXPECT_TRUE(supply.progress());
    EXPECT_FALSE(worker1.receive()) << "trainer 0 alone passes it on";
    EXPECT_FALSE(supply.progress());
  }
}

TEST_F(WorkerSupplyTest, Trainer0TellsTheOtherWorkersThatFilesKeepOne) {
  WorkerSupply first(trainer, example.schema, config::Mode::hybrid, 0, 2);
  const auto say = [&](wire::Waits waits) {
    worker0.send({mail::PeerIndex(1), MessageKind::patience, Token(static_cast<std::uint64_t>(waits)), {}});
    first.progress();
    EXPECT_FALSE(worker0.receive());
    return worker1.receive();
  };
  EXPECT_FALSE(say(wire::Waits::owners));
  const std::optional<Message> told = say(wire::Waits::files);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->kind, MessageKind::patience);
}

TEST_F(WorkerSupplyTest, AReportIsAskedOfEveryWorker) {
  for (mail::FakePost* worker : {&worker0, &worker1}) {
    const std::string text = R"({"sent_bytes": 7})";
    const auto bytes = std::as_bytes(std::span(text));
    worker->send({mail::PeerIndex(1), MessageKind::report, Token(0), {bytes.begin(), bytes.end()}});
  }
  const nlohmann::json reports = supply.worker_reports(60);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[1].at("sent_bytes"), 7);
  for (mail::FakePost* worker : {&worker0, &worker1})
    EXPECT_EQ(worker->receive().value().kind, MessageKind::statistics);
}

TEST_F(WorkerSupplyTest, AReportThatDoesNotComeIsAnErrorAfterTheTimeout) {
  EXPECT_THAT(message_of([&] { (void)supply.worker_reports(0.01); }), ::testing::HasSubstr("0 of 2 workers"));
}

TEST_F(WorkerSupplyTest, WrongAnswersAreRefusedWithTheWorkersName) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight flight;
  EXPECT_TRUE(pass->start(flight));
  answer(worker0, flight);  // worker 1 was asked
  EXPECT_THAT(message_of([&] { supply.progress(); }), ::testing::HasSubstr("worker 0 answered token 1"));
  worker1.send({mail::PeerIndex(1), MessageKind::applied, Token(9), {}});
  EXPECT_THAT(message_of([&] { supply.progress(); }), ::testing::HasSubstr("worker 1 confirmed token 9"));
  worker1.send({mail::PeerIndex(1), MessageKind::rows, Token(1), {}});
  EXPECT_THAT(message_of([&] { supply.progress(); }), ::testing::HasSubstr("worker 1 sent a rows message"));
}

TEST_F(WorkerSupplyTest, NamesTheWorkersThatItWaitsFor) {
  const auto pass = supply.open(table::Purpose::train, {});
  Flight flight;
  EXPECT_TRUE(pass->start(flight));
  EXPECT_THAT(supply.describe(), ::testing::HasSubstr("asked of workers [1]"));
}

}  // namespace
}  // namespace persia::train
