#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "table_maker.hpp"

namespace persia::table {
namespace {

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

// A thread of the table may still be at its last pages.
void wait_for_resident_bytes(std::int64_t bytes) {
  for (int i = 0; i < 5000 && resident_bytes() < bytes; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Adds rows up to `rows`, in batches, keeping nothing else.
void fill(Table& table, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t id = begin; id < end; id += 10000)
    (void)lookup(table, ids_between(id, std::min(id + 10000, end)));
}

// 16 values in half precision, a row-wise accumulator and the update count of stochastic rounding: 40 bytes.
// Everything else takes at most 20.
TEST(Memory, OverheadIsAtMostTwentyBytesARow) {
  const auto schema = schema_with(config::OptimizerType::rowwise_adagrad, config::Precision::fp16, 16);
  const std::int64_t before = resident_bytes();
  const auto table = make_table(schema, {.seed = 1});
  std::uint64_t begin = 0;
  for (const std::uint64_t rows : {2000000U, 3000000U, 5000000U}) {
    fill(*table, begin, rows);
    begin = rows;
    const auto told_bytes = table->statistics().resident_bytes;
    wait_for_resident_bytes(before + told_bytes);
    const auto measured = static_cast<double>(resident_bytes() - before) / static_cast<double>(rows);
    const auto told = static_cast<double>(told_bytes) / static_cast<double>(rows);
    EXPECT_LE(measured, 32 + 8 + 20) << rows;
    EXPECT_NEAR(told, measured, 1.0) << rows;
    RecordProperty("bytes_per_row_at_" + std::to_string(rows), std::to_string(measured));
    std::printf("%lu rows: %.2f bytes a row measured, %.2f told\n", static_cast<unsigned long>(rows),
                measured, told);
  }
}

// Rows that stand in slabs of 2 MiB, which are resident page by page while the table is small.
TEST(Memory, ASmallTableOfWideRowsTakesThePagesItUses) {
  const auto schema = schema_with(config::OptimizerType::sgd, config::Precision::fp32, 512);
  const std::int64_t before = resident_bytes();
  const auto table = make_table(schema, {.seed = 1});
  fill(*table, 0, 20000);
  const auto measured = static_cast<double>(resident_bytes() - before);
  EXPECT_NEAR(static_cast<double>(table->statistics().resident_bytes) / measured, 1, 0.05);
}

// A model may have dozens of tables with three rows each.
TEST(Memory, ASmallTableTakesLittle) {
  const auto table =
      make_table(schema_with(config::OptimizerType::adam, config::Precision::fp32, 16), {.seed = 1});
  (void)lookup(*table, ids_of({1, 2, 3}));
  EXPECT_LE(table->statistics().resident_bytes, 96 * 1024);
}

// Exits with 3 once the table says that it cannot grow in this process, whose memory is limited here.
void fill_until_memory_ends() {
  const rlimit limit{std::size_t{1} << 28, std::size_t{1} << 28};
  ::setrlimit(RLIMIT_AS, &limit);
  try {
    const auto table =
        make_table(schema_with(config::OptimizerType::sgd, config::Precision::fp32, 4096), {.seed = 1});
    for (std::uint64_t begin = 0;; begin += 64) (void)lookup(*table, ids_between(begin, begin + 64));
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(3);
  }
}

TEST(MemoryDeathTest, TheErrorNamesTableRowsAndBytes) {
  EXPECT_EXIT(fill_until_memory_ends(), ::testing::ExitedWithCode(3),
              "table 'items' holds [1-9][0-9]* rows in [0-9]+ bytes and cannot get [0-9]+ bytes");
}

}  // namespace
}  // namespace persia::table
