#include "table/footprint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "table_maker.hpp"

namespace persia::table {
namespace {

// What a table tells of itself, which memory_test.cpp holds against the system's count.
double told_bytes_per_row(const config::TableSchema& schema, std::uint64_t rows) {
  const auto table = make_table(schema, {.seed = 1});
  for (std::uint64_t id = 0; id < rows; id += 10000)
    (void)lookup(*table, ids_between(id, std::min(id + 10000, rows)));
  return static_cast<double>(table->statistics().resident_bytes) / static_cast<double>(rows);
}

TEST(Footprint, IsWithinTwoPercentOfWhatATableTakes) {
  constexpr std::pair narrow{config::Precision::fp16, 16}, wide{config::Precision::fp32, 64};
  for (const auto& [precision, dim] : {narrow, wide}) {
    const auto schema = schema_with(config::OptimizerType::rowwise_adagrad, precision, dim);
    // In the middle of an index's life, and where half of the shards have grown theirs.
    for (const std::uint64_t rows : {1000000U, 1100000U, 1200000U, 1300000U}) {
      const double predicted = predict_footprint(schema.table, static_cast<std::int64_t>(rows)).bytes_per_row;
      EXPECT_NEAR(predicted / told_bytes_per_row(schema, rows), 1, 0.02) << rows << " rows of dim " << dim;
    }
  }
}

// Of small tables only the pages in use are resident, whatever the size of their slabs. Some of these are no
// longer small.
TEST(Footprint, IsWithinTwoPercentOfWhatASmallTableTakes) {
  for (const std::int32_t dim : {16, 240, 256, 1024})
    for (const std::uint64_t rows : {8000U, 28000U, 60000U}) {
      const auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, dim);
      const double predicted = predict_footprint(schema.table, static_cast<std::int64_t>(rows)).bytes_per_row;
      EXPECT_NEAR(predicted / told_bytes_per_row(schema, rows), 1, 0.02) << rows << " rows of dim " << dim;
    }
}

// The bytes of a table that was given far more ids than fit.
double told_bytes_of_full_table(const config::TableSchema& schema, std::uint64_t ids) {
  const auto table = make_table(schema, {.seed = 1});
  constexpr std::uint64_t batch = 100;
  std::vector<float> values(batch * static_cast<std::size_t>(schema.table.dim));
  std::vector<Row> rows(batch);
  for (std::uint64_t id = 0; id < ids; id += batch) {
    const Step step(static_cast<std::int64_t>(id / batch));
    table->lookup(ids_between(id, id + batch), Purpose::train, values, rows, {step, step});
  }
  return static_cast<double>(table->statistics().resident_bytes);
}

// To the last slab of 2 MiB that all sixteen inner shards can have.
TEST(Footprint, MaxBytesOfEvictionAreUsedAndKept) {
  for (const std::int32_t dim : {16, 240, 256, 1024})
    for (const std::int64_t bytes : {2000000, 30000000, 200000000}) {
      auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, dim);
      schema.table.eviction = {.policy = config::EvictionPolicy::lru, .max_bytes = bytes};
      const auto ids = static_cast<std::uint64_t>(rows_within(schema.table, bytes) * 5 / 4);
      const double told = told_bytes_of_full_table(schema, ids);
      EXPECT_LE(told, 1.02 * static_cast<double>(bytes)) << dim;
      EXPECT_GE(told, 0.8 * static_cast<double>(bytes)) << dim;
    }
}

TEST(Footprint, CountsTheRecordAsItIsStored) {
  const auto schema = schema_with(config::OptimizerType::rowwise_adagrad, config::Precision::fp16, 16);
  const Footprint footprint = predict_footprint(schema.table, 10000000000);
  EXPECT_EQ(footprint.record_bytes, 8 + 32 + 4 + 4);
  EXPECT_GT(footprint.bytes_per_row, footprint.record_bytes + 6);
  EXPECT_LT(footprint.bytes_per_row, footprint.record_bytes + 9);
}

}  // namespace
}  // namespace persia::table
