// Trainers among themselves: sums through the box, one that fails stops all at the same step, async averages.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "config/reader.hpp"
#include "embed/local_source.hpp"
#include "model/memory.hpp"
#include "train/own_supply.hpp"
#include "train/pipeline.hpp"

namespace persia::train {
namespace {

// Kokkos starts once per process, so all tests take turns on this thread.
std::unique_ptr<ComputeThread> shared;

class KokkosEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    set_log_level("error");  // the tests bring about what is warned of
    shared = std::make_unique<ComputeThread>(1, -1);
  }
  void TearDown() override {
    shared->finish([] {});
    shared.reset();
  }
};

const ::testing::Environment* const environment = ::testing::AddGlobalTestEnvironment(new KokkosEnvironment);

// Synthetic data, 4 steps of 16 rows.
config::RunFile example(config::Mode mode) {
  config::RunFile run = config::parse_run_file(R"(
data:
  format: synthetic
  synthetic: {rows: 64, shrink: 100000}
embedding: {dim: 2}
model: {type: lr}
training:
  batch_size: 16
  optimizer: {type: sgd, learning_rate: 0.1}
)",
                                               "example.yaml", {});
  run.training.mode = mode;
  run.training.average_every = 3;
  return run;
}

// Each trainer with tables of its own: only the dense network is shared.
struct Trainer {
  sys::Communicator world = sys::Communicator::world();
  config::RunFile run;
  config::Schema schema;
  ReduceBox box{world};
  std::unique_ptr<DenseReplica> replica;
  std::vector<std::unique_ptr<table::Table>> tables;
  std::unique_ptr<embed::EmbeddingSource> source;
  std::optional<OwnSupply> supply;
  std::unique_ptr<BatchPass> pass;
  std::vector<std::int64_t> retired;

  explicit Trainer(config::Mode mode) : run(example(mode)), schema(config::make_schema(run)) {
    shared->call([&] { replica = std::make_unique<DenseReplica>(run, schema, world.size(), box, nullptr); });
    for (const config::TableSchema& one : schema.tables)
      tables.push_back(table::make_table(one, {.seed = 1}));
    source = embed::make_local_source(tables);
    FeedOptions options;
    options.source.slice = {.index = world.rank(), .count = world.size()};
    options.source.batch_size = run.training.batch_size;
    supply.emplace(*source, [this, options](table::Purpose, const data::Position&) {
      return std::make_shared<BatchFeed>(run.data, schema, options);
    });
    pass = supply->open(table::Purpose::train, {});
  }
  ~Trainer() {
    box.close();
    shared->call([&] { replica.reset(); });
  }
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  Step train(const std::function<void(const Flight&)>& look = [](const Flight&) {}) {
    const StalenessControl staleness(run.training);
    Pipeline pipeline({.supply = *supply,
                       .compute = *shared,
                       .replica = *replica,
                       .reduce_box = box,
                       .mode = run.training.mode,
                       .staleness = staleness,
                       .timeout_seconds = 60});
    return pipeline.run_training(*pass, Step(0), Step(4), [&](const Flight& flight) {
      retired.push_back(flight.step.value());
      look(flight);
    });
  }

  std::vector<std::int64_t> parameter_bits() {
    std::vector<float> values(replica->network().parameters().size());
    shared->call([&] { model::copy_to_host(replica->network().parameters(), values); });
    std::vector<std::int64_t> bits;
    for (const float value : values) bits.push_back(std::bit_cast<std::int32_t>(value));
    return bits;
  }
};

void expect_equal_on_all_ranks(Trainer& trainer) {
  for (const std::int64_t bits : trainer.parameter_bits())
    EXPECT_EQ(trainer.world.min(bits), trainer.world.max(bits));
}

TEST(ReduceBox, SumsOverTheTrainersWhileTheCommunicationThreadServes) {
  const sys::Communicator world = sys::Communicator::world();
  ReduceBox box(world);
  std::vector<float> values(1000, 1.0F);
  std::array<double, 2> totals{0.5, static_cast<double>(world.rank())};
  std::atomic<bool> done = false;
  std::thread compute([&] {
    for (int round = 0; round < 3; ++round) box.sum(values, totals);
    done = true;
  });
  while (!done) (void)box.service();
  compute.join();
  const double n = world.size();
  EXPECT_EQ(values, std::vector<float>(1000, static_cast<float>(n * n * n)));
  EXPECT_DOUBLE_EQ(totals[0], 0.5 * n * n * n);
  EXPECT_FALSE(box.busy());
}

TEST(ReduceBox, ACloseWakesASumThatNobodyWillServe) {
  const sys::Communicator world = sys::Communicator::world();
  ReduceBox box(world);
  std::exception_ptr error;
  std::thread compute([&] {
    std::array<float, 1> value{1};
    try {
      box.sum(value, {});
    } catch (...) {
      error = std::current_exception();
    }
  });
  while (world.size() > 1 && !box.busy()) std::this_thread::yield();
  box.close();
  compute.join();
  EXPECT_EQ(error != nullptr, world.size() > 1);
}

TEST(TrainersTogether, HoldEqualParametersAfterHybridTraining) {
  Trainer trainer(config::Mode::hybrid);
  EXPECT_EQ(trainer.train(), Step(4));
  expect_equal_on_all_ranks(trainer);
}

TEST(TrainersTogether, HoldEqualParametersAfterTheLastAverageOfAsyncTraining) {
  Trainer trainer(config::Mode::async);
  EXPECT_EQ(trainer.train(), Step(4));
  expect_equal_on_all_ranks(trainer);
}

// Rank 0's replica reports a failure at step 0 in place of a batch; the others are in the middle of theirs.
TEST(TrainersTogether, StopAtTheStepThatOneOfThemCannotTake) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Trainer trainer(config::Mode::hybrid);
    bool stopped = false;
    if (trainer.world.rank() == 0) {
      std::atomic<bool> told = false;
      shared->post([&] {
        trainer.replica->failed_step(Step(0));
        told = true;
      });
      while (!told) (void)trainer.box.service();
    } else {
      try {
        (void)trainer.train();
      } catch (const StoppedTraining& together) {
        stopped = together.error == nullptr;
      }
      EXPECT_TRUE(stopped);
      EXPECT_TRUE(trainer.retired.empty());
    }
    EXPECT_FALSE(trainer.box.busy()) << "nobody waits for a sum";
  }
}

// All see the same loss, so all leave at the same step, though batches behind it are under way.
TEST(TrainersTogether, StopAtALossThatIsNotFiniteWithNoSumLeftOpen) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Trainer trainer(config::Mode::hybrid);
    if (trainer.world.rank() == trainer.world.size() - 1)
      shared->call([&] {
        const std::vector<float> broken(trainer.replica->network().parameters().size(),
                                        std::numeric_limits<float>::quiet_NaN());
        model::copy_from_host(broken, trainer.replica->network().parameters());
      });
    bool stopped = false;
    try {
      (void)trainer.train([](const Flight& flight) {
        if (!std::isfinite(flight.totals.loss_sum)) throw StoppedTraining{};
      });
    } catch (const StoppedTraining&) {
      stopped = true;
    }
    EXPECT_TRUE(stopped);
    EXPECT_EQ(trainer.retired, std::vector<std::int64_t>{0});
    EXPECT_FALSE(trainer.box.busy());
  }
}

}  // namespace
}  // namespace persia::train
