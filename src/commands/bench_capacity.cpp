#include "commands/bench_capacity.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/memory_size.hpp"
#include "commands/table_case.hpp"
#include "commands/visit_order.hpp"
#include "config/names.hpp"
#include "table/footprint.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

constexpr double machine_bytes = 12e12;

struct Filled {
  std::int64_t rows = 0;
  std::int64_t resident_bytes = 0;
  double seconds = 0;
};

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0, pages = 0;
  file >> total >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

// Adds rows until the table has reached the budget.
Filled fill(const config::TableSchema& schema, std::int64_t budget_bytes) {
  std::vector<FeatureId> ids(kBatchRows);
  std::vector<table::Row> rows(kBatchRows);
  std::vector<float> values(kBatchRows * static_cast<std::size_t>(schema.table.dim));
  const std::int64_t before = resident_bytes();
  const std::unique_ptr<table::Table> table = table::make_table(schema, {});
  Filled filled;
  const Stopwatch watch;
  while (table->statistics().resident_bytes < budget_bytes) {
    for (FeatureId& id : ids) id = FeatureId(static_cast<std::uint64_t>(filled.rows++));
    table->lookup(ids, table::Purpose::train, values, rows, {});
  }
  filled.seconds = watch.seconds();
  filled.resident_bytes = resident_bytes() - before;
  return filled;
}

void measure(const TableCase& bench, const BenchCapacityOptions& options) {
  const config::TableSchema schema = bench.schema();
  const Filled filled = fill(schema, options.budget_mebibytes << 20);
  const double predicted = table::predict_footprint(schema.table, filled.rows).bytes_per_row;
  const double measured = static_cast<double>(filled.resident_bytes) / static_cast<double>(filled.rows);
  const double rows = machine_bytes / measured;
  const std::string name =
      fmt::format("capacity {} {}", bench.name(), config::name_of(schema.table.optimizer.type));
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"case", name},
                                      {"rows", filled.rows},
                                      {"rows_per_s", static_cast<double>(filled.rows) / filled.seconds},
                                      {"predicted_bytes_per_row", predicted},
                                      {"bytes_per_row", measured},
                                      {"ratio", measured / predicted},
                                      {"rows_in_12_tb", rows},
                                      {"parameters_in_12_tb", rows * bench.dim}}
                           .dump());
  else
    fmt::print(
        "{:<40} {:>8.2f} bytes/row, {:>8.2f} predicted   12 TB: {:>6.1f} G rows, {:.2f} T parameters\n", name,
        measured, predicted, rows * 1e-9, rows * bench.dim * 1e-12);
  std::fflush(stdout);
}

}  // namespace

int bench_capacity(const BenchCapacityOptions& options) {
  const auto wanted = static_cast<double>(options.budget_mebibytes) * 0x1p20;
  const auto memory = static_cast<double>(physical_memory_bytes());
  require_user(memory == 0 || wanted <= memory,
               "--mebibytes {} is {}, this machine has {} of memory; give less", options.budget_mebibytes,
               memory_text(wanted), memory_text(memory));
  for (const std::int32_t dim : {16, 64, 128})
    for (const config::Precision precision : {config::Precision::fp32, config::Precision::fp16})
      measure({dim, precision}, options);
  return 0;
}

}  // namespace persia::commands
