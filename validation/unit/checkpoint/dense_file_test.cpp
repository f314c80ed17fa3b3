#include <gmock/gmock.h>

#include "base/error.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::HasSubstr;

class DenseFile : public CheckpointTest {
 protected:
  void SetUp() override {
    CheckpointTest::SetUp();
    FakeNetwork network;
    FakeOptimizer optimizer;
    entry_ = save_dense(folder_, Step(5), network, optimizer);
  }
  FileEntry entry_;
};

TEST_F(DenseFile, GivesBackParametersAndOptimizer) {
  FakeNetwork network;
  const std::vector<float> parameters = network.values_;
  std::fill(network.values_.begin(), network.values_.end(), 0.0F);
  FakeOptimizer optimizer;
  optimizer.states_["m"].assign(10, 0.0F);
  optimizer.set_steps(0);
  load_dense(folder_, network, &optimizer);
  EXPECT_EQ(network.values_, parameters);
  EXPECT_EQ(optimizer.states_["m"], std::vector<float>(10, 1.25F));
  EXPECT_EQ(optimizer.steps(), 77);
}

TEST_F(DenseFile, NeedsNoOptimizerForEvaluation) {
  FakeNetwork network;
  network.values_[9] = -1;
  load_dense(folder_, network, nullptr);
  EXPECT_EQ(network.values_[9], 9.5F);
}

TEST_F(DenseFile, RefusesAnotherNetwork) {
  FakeNetwork wider;
  wider.blocks_[0].shape = {3, 2};
  EXPECT_THAT(user_error([&] { load_dense(folder_, wider, nullptr); }),
              HasSubstr("bottom.0.weight has shape [2, 3] in the checkpoint, [3, 2]"));
  FakeNetwork other;
  other.blocks_[0].name = "top.0.weight";
  EXPECT_THAT(user_error([&] { load_dense(folder_, other, nullptr); }), HasSubstr("top.0.weight"));
}

TEST_F(DenseFile, RefusesAnotherOptimizer) {
  FakeNetwork network;
  FakeOptimizer optimizer;
  optimizer.states_ = {{"accumulator", std::vector<float>(10)}};
  EXPECT_THAT(user_error([&] { load_dense(folder_, network, &optimizer); }),
              HasSubstr("state is [m, v], the run file's is [accumulator]"));
}

TEST_F(DenseFile, IsListedWithItsSize) {
  EXPECT_EQ(entry_.name, "dense.h5");
  EXPECT_EQ(static_cast<std::uintmax_t>(entry_.bytes), std::filesystem::file_size(folder_ / "dense.h5"));
  EXPECT_NE(entry_.checksum, 0U);
}

}  // namespace
}  // namespace persia::checkpoint
