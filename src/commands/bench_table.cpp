#include "commands/bench_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/memory_size.hpp"
#include "base/random.hpp"
#include "commands/median.hpp"
#include "commands/memory_roofline.hpp"
#include "commands/processor_clock.hpp"
#include "commands/table_case.hpp"
#include "table/row_layout.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

struct Case {
  TableCase table;
  std::int64_t rows;

  [[nodiscard]] std::string name() const { return table.name() + " uniform"; }
};

// Ids 0 .. rows - 1 in random order.
std::vector<std::uint32_t> shuffled(std::int64_t rows) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_below(1, 0, i, i)]);
  return order;
}

// Runs a table batch by batch over every row, and clocks it.
class Driver {
 public:
  Driver(const Case& bench, const std::vector<std::uint32_t>& order)
      : bench_(bench), values_(kBatchRows * static_cast<std::size_t>(bench.table.dim), 0.001F) {
    for (const std::uint32_t row : order) ids_.emplace_back(row);
    rows_.resize(ids_.size());
  }

  // Rows per second of look-ups; every one adds its row when the table is new.
  double lookup(table::Table& table) {
    return over_batches([&](std::size_t begin, std::size_t size) {
      table.lookup(std::span(ids_).subspan(begin, size), table::Purpose::train, floats(size),
                   std::span(rows_).subspan(begin, size), {});
    });
  }
  // Pre: lookup() before.
  double update(table::Table& table) {
    return over_batches([&](std::size_t begin, std::size_t size) {
      table.update(std::span(rows_).subspan(begin, size), floats(size), persia::Step(0));
    });
  }

 private:
  template <class Run>
  double over_batches(const Run& run) {
    const ProcessorStopwatch watch;
    for (std::size_t begin = 0; begin < ids_.size(); begin += kBatchRows)
      run(begin, std::min(kBatchRows, ids_.size() - begin));
    return static_cast<double>(ids_.size()) / watch.seconds();
  }
  std::span<float> floats(std::size_t rows) {
    return std::span(values_).first(rows * static_cast<std::size_t>(bench_.table.dim));
  }

  Case bench_;
  std::vector<FeatureId> ids_;
  std::vector<table::Row> rows_;
  std::vector<float> values_;
};

void print_line(const std::string& name, const Case& bench, double rate, double limit, bool json) {
  const double ratio = rate / limit;
  if (json)
    fmt::print("{}\n", nlohmann::json{{"case", name},
                                      {"rows", bench.rows},
                                      {"rows_per_s", rate},
                                      {"limit_rows_per_s", limit},
                                      {"ratio", ratio}}
                           .dump());
  else
    fmt::print("{:<32} {:>8.2f} M rows/s   {:>4.0f} % of {:.2f} M\n", name, rate * 1e-6, ratio * 100,
               limit * 1e-6);
  std::fflush(stdout);
}

void run_case(const Case& bench, const BenchTableOptions& options) {
  const std::vector<std::uint32_t> in_order = [&] {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(bench.rows));
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }();
  const std::vector<std::uint32_t> order = shuffled(bench.rows);
  Driver arrivals(bench, in_order);
  Driver visits(bench, order);
  std::unique_ptr<table::Table> table;
  std::vector<double> insert, lookup, gather, update, rewrite;
  for (std::int32_t r = 0; r < options.repeats; ++r) {
    table = table::make_table(bench.table.schema(), {});
    insert.push_back(arrivals.lookup(*table));
  }
  const table::RowLayout layout = table::make_row_layout(table->schema().table);
  MemoryRoofline roofline(
      {bench.rows, layout.row_bytes, layout.value_bytes, table->statistics().index_bytes});
  for (std::int32_t r = 0; r < options.repeats; ++r) {
    gather.push_back(roofline.gather_rate(order));
    lookup.push_back(visits.lookup(*table));
    rewrite.push_back(roofline.rewrite_rate(order));
    update.push_back(visits.update(*table));
  }
  print_line("lookup " + bench.name(), bench, median(lookup), median(gather), options.json);
  print_line("update " + bench.name(), bench, median(update), median(rewrite), options.json);
  print_line("insert " + bench.name(), bench, median(insert), median(lookup), options.json);
}

std::vector<Case> cases_of(const BenchTableOptions& options) {
  std::vector<Case> cases;
  for (const std::int32_t dim : {16, 64, 128})
    for (const config::Precision precision : {config::Precision::fp32, config::Precision::fp16})
      cases.push_back({{dim, precision}, std::max<std::int64_t>(1, options.rows / std::max(1, dim / 32))});
  return cases;
}

// Before the first measurement. Counts what is certain: the rows, their copy for the roofline, and the lists
// of ids and places; indexes come on top.
void require_memory(const Case& bench) {
  const double row_bytes = table::make_row_layout(bench.table.schema().table).row_bytes;
  const double lists = 2 * (sizeof(std::uint32_t) + sizeof(FeatureId) + sizeof(table::Row));
  const double bytes = static_cast<double>(bench.rows) * (2 * row_bytes + lists);
  const auto memory = static_cast<double>(physical_memory_bytes());
  require_user(
      memory == 0 || bytes <= memory,
      "the table of case '{}' with {} rows and what it is measured with take at least {}, this machine has "
      "{} of memory; give fewer --rows",
      bench.name(), bench.rows, memory_text(bytes), memory_text(memory));
  require_user(bench.rows <= std::numeric_limits<std::uint32_t>::max(),
               "case '{}' would have {} rows, and rows are numbered with 32 bits here; give fewer --rows",
               bench.name(), bench.rows);
}

}  // namespace

int bench_table(const BenchTableOptions& options) {
  const std::vector<Case> cases = cases_of(options);
  for (const Case& bench : cases) require_memory(bench);
  for (const Case& bench : cases) run_case(bench, options);
  return 0;
}

}  // namespace persia::commands
