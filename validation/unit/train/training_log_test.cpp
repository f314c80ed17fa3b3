#include "train/training_log.hpp"

#include <limits>

#include "fixtures.hpp"

namespace persia::train {
namespace {

using nlohmann::json;

struct TrainingLogTest : ::testing::Test {
  Example example;  // an interval is two steps

  std::vector<json> lines() {
    std::ifstream file(example.folder.path() / "run" / "log.jsonl");
    std::vector<json> result;
    for (std::string line; std::getline(file, line);) result.push_back(json::parse(line));
    return result;
  }

  // Step n: 4 rows, a loss of n per row, staleness n.
  static void add(TrainingLog& log, std::int64_t n) {
    Flight flight;
    flight.step = Step(n);
    flight.staleness = static_cast<std::int32_t>(n);
    flight.totals = {.loss_sum = 4.0 * static_cast<double>(n), .rows = 4, .failed = 0};
    flight.times = {.read = 1, .lookup_wait = 2, .compute = 4, .all_reduce = 1, .push = 2};
    log.step(flight, 4);
  }
};

TEST_F(TrainingLogTest, WritesALineAtStartAtEveryIntervalAndAtTheEnd) {
  TrainingLog log(example.run, true, 3, 100);
  for (std::int64_t n = 3; n < 8; ++n) add(log, n);
  log.event("checkpoint", {{"step", 8}});
  log.finish("ok", {{"auc", 0.5}});
  const std::vector<json> written = lines();
  ASSERT_EQ(written.size(), 5U);
  EXPECT_EQ(written[0].at("event"), "start");
  EXPECT_EQ(written[0].at("first_step"), 3);
  EXPECT_EQ(written[1].at("event"), "interval");
  EXPECT_EQ(written[1].at("step"), 5) << "steps done";
  EXPECT_EQ(written[1].at("loss"), 3.5);
  EXPECT_EQ(written[1].at("staleness"), 3.5);
  EXPECT_EQ(written[1].at("staleness_max"), 4);
  EXPECT_GT(written[1].at("samples_per_s"), 0);
  EXPECT_EQ(written[1].at("time_share").at("compute"), 0.5);
  EXPECT_EQ(written[2].at("loss"), 5.5);
  EXPECT_EQ(written[3].at("event"), "checkpoint");
  EXPECT_EQ(written[4].at("event"), "end");
  EXPECT_EQ(written[4].at("status"), "ok");
}

TEST_F(TrainingLogTest, AnIntervalHasTheLearningRateOfItsLastStep) {
  example.run.training.optimizer = {
      .learning_rate = 0.5,
      .schedule = {.type = config::ScheduleType::step, .warm_up_steps = 4, .every_steps = 2}};
  TrainingLog log(example.run, true, 0, 100);
  for (std::int64_t n = 0; n < 8; ++n) add(log, n);
  const std::vector<json> written = lines();
  ASSERT_EQ(written.size(), 5U);
  EXPECT_EQ(written[1].at("learning_rate"), 0.25);
  EXPECT_EQ(written[2].at("learning_rate"), 0.5);
  EXPECT_EQ(written[3].at("learning_rate"), 0.5);
  EXPECT_EQ(written[4].at("learning_rate"), 0.05);
}

TEST_F(TrainingLogTest, TheSummaryCoversAllStepsAndTheLossOfTheLastInterval) {
  TrainingLog log(example.run, false, 0, std::nullopt);
  for (std::int64_t n = 0; n < 5; ++n) add(log, n);
  json summary = log.summary();
  EXPECT_EQ(summary.at("steps"), 5);
  EXPECT_EQ(summary.at("train_loss"), 4);
  EXPECT_EQ(summary.at("staleness").at("mean"), 2);
  EXPECT_EQ(summary.at("staleness").at("max"), 4);
  EXPECT_EQ(summary.at("staleness").at("histogram"), json({1, 1, 1, 1, 1}));
  EXPECT_NEAR(summary.at("samples_per_s").get<double>() * summary.at("seconds").get<double>(), 20, 1e-6);
  add(log, 5);
  EXPECT_EQ(log.summary().at("train_loss"), 4.5) << "an interval that is just over still counts";
}

TEST_F(TrainingLogTest, ATrainerThatDoesNotSpeakWritesNothing) {
  TrainingLog log(example.run, false, 0, std::nullopt);
  for (std::int64_t n = 0; n < 4; ++n) add(log, n);
  log.finish("ok", {});
  EXPECT_TRUE(lines().empty());
  EXPECT_FALSE(std::filesystem::exists(example.folder.path() / "run"));
}

TEST_F(TrainingLogTest, PausesAreLeftOutOfTheSeconds) {
  const Stopwatch watch;
  TrainingLog log(example.run, false, 0, std::nullopt);
  log.pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  log.resume();
  const double seconds = log.summary().at("seconds");
  EXPECT_LE(seconds, watch.seconds() - 0.05);
  EXPECT_GE(seconds, 0);
}

TEST_F(TrainingLogTest, ARestartForgetsTheWarmUp) {
  TrainingLog log(example.run, false, 0, std::nullopt);
  for (std::int64_t n = 0; n < 3; ++n) add(log, n);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Stopwatch watch;
  log.restart();
  add(log, 3);
  EXPECT_EQ(log.summary().at("steps"), 1);
  EXPECT_EQ(log.summary().at("staleness").at("mean"), 3);
  EXPECT_LE(log.summary().at("seconds"), watch.seconds());
}

TEST(TimeShare, OfTheComputeThreadAddsUpToOneAndPushingStandsBeside) {
  const json share =
      time_share({.read = 0.1, .lookup_wait = 0.3, .compute = 1.1, .all_reduce = 0.7, .push = 0.2});
  double sum = 0;
  for (const char* part : {"read", "lookup_wait", "compute", "all_reduce"})
    sum += share.at(part).get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(share.at("push").get<double>(), 0.2 / 2.2, 1e-12);
}

TEST(TimeShare, OfNoTimeIsZeroNotNaN) {
  const json shares = time_share({});
  for (const auto& [part, share] : shares.items()) EXPECT_EQ(share, 0) << part;
}

TEST(QualityAsJson, LeavesUndefinedNumbersEmptyAndSaysWhy) {
  metrics::Quality quality;
  quality.rows = 3;
  quality.auc_reason = "no positives";
  json object = to_json(quality);
  EXPECT_TRUE(object.at("auc").is_null());
  EXPECT_EQ(object.at("auc_reason"), "no positives");
  EXPECT_TRUE(object.at("log_loss").is_null());
  EXPECT_FALSE(object.contains("predictions"));

  quality.auc = 0.75;
  quality.log_loss = 0.5;
  quality.log_loss_defined = true;
  quality.constant_predictions = true;
  object = to_json(quality);
  EXPECT_EQ(object.at("auc"), 0.75);
  EXPECT_FALSE(object.contains("auc_reason"));
  EXPECT_EQ(object.at("log_loss"), 0.5);
  EXPECT_EQ(object.at("predictions"), "constant");
}

}  // namespace
}  // namespace persia::train
