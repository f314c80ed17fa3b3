#include "checkpoint/contents.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "checkpoint/state_columns.hpp"
#include "fixtures.hpp"

namespace persia::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Contents : public CheckpointTest {
 protected:
  void SetUp() override {
    CheckpointTest::SetUp();
    std::vector<Tables> owners;
    for (std::int32_t owner = 0; owner < 2; ++owner) {
      owners.push_back(make_tables({schema_of("a/b", config::Precision::bf16, config::OptimizerType::adam),
                                    schema_of("c", config::Precision::fp32, config::OptimizerType::sgd, 2)}));
      train_rows(*owners.back()[0], {10, 20, 30, 40, 50}, owner, 2);
    }
    step_ = save_all(folder_, 1, owners);
    manifest_ = read_manifest(step_);
  }
  std::filesystem::path step_;
  Manifest manifest_;
};

TEST_F(Contents, ListTablesOverAllOwners) {
  const std::vector<TableContents> tables = list_tables(step_, manifest_);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].name, "a/b");
  EXPECT_EQ(tables[0].rows, 5);
  EXPECT_EQ(tables[0].dim, 4);
  EXPECT_EQ(tables[0].precision, "bf16");
  EXPECT_EQ(tables[0].optimizer, "adam");
  EXPECT_THAT(tables[0].state_names, HasSubstr("m,v"));
  EXPECT_GE(tables[0].row_bytes, 8 + 8 + 32);
  EXPECT_EQ(tables[1].rows, 0);
  EXPECT_EQ(tables[1].state_names, "");
  EXPECT_EQ(tables[1].row_bytes, 8 + 8);
}

TEST_F(Contents, ListParameters) {
  const std::vector<DenseContents> parameters = list_parameters(step_);
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(parameters[1].name, "bottom.0.weight");
  EXPECT_THAT(parameters[1].shape, ElementsAre(2, 3));
}

TEST_F(Contents, SampleUpToTheLimitOverOwners) {
  EXPECT_EQ(sample_rows(step_, manifest_, "a/b", 3).ids.size(), 3U);
  const SampledRows all = sample_rows(step_, manifest_, "a/b", 100);
  EXPECT_EQ(all.ids.size(), 5U);
  EXPECT_EQ(all.values.size(), 20U);
  EXPECT_TRUE(sample_rows(step_, manifest_, "c", 100).ids.empty());
}

// With states of an element and of a row before the scale, and usage after it.
TEST_F(Contents, SampleRowsOfInt8AsALookUpAnswersThem) {
  config::TableSchema schema = schema_of("i", config::Precision::int8, config::OptimizerType::adam);
  schema.table.eviction = {.policy = config::EvictionPolicy::lfu, .max_rows = 1000};
  std::vector<Tables> owners;
  owners.push_back(make_tables({schema}));
  train_rows(*owners[0][0], {10, 20, 30, 40, 50}, 0, 1);
  const std::filesystem::path step = save_all(folder_, 2, owners);
  const SampledRows sample = sample_rows(step, read_manifest(step), "i", 100);
  ASSERT_EQ(sample.ids.size(), 5U);
  std::vector<float> answered(sample.values.size());
  std::vector<table::Row> rows(sample.ids.size());
  owners[0][0]->lookup(sample.ids, table::Purpose::evaluate, answered, rows, {});
  EXPECT_EQ(sample.values, answered);
  EXPECT_TRUE(std::ranges::any_of(answered, [](float value) { return value != std::trunc(value); }));
}

TEST_F(Contents, ARowWithoutAScaleIsTold) {
  EXPECT_EQ(scale_column("t", "m,v,count,scale,last_use", 11), 9U);
  EXPECT_THAT(user_error([] { (void)scale_column("t", "m,v", 8); }), HasSubstr("table t"));
}

TEST_F(Contents, NameTheNearestTable) {
  EXPECT_THAT(user_error([&] { (void)sample_rows(step_, manifest_, "a-b", 3); }),
              HasSubstr("no table 'a-b' (did you mean 'a/b'?)"));
}

}  // namespace
}  // namespace persia::checkpoint
