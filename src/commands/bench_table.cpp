#include "commands/bench_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/memory_size.hpp"
#include "base/thread_team.hpp"
#include "commands/median.hpp"
#include "commands/memory_roofline.hpp"
#include "commands/processor_clock.hpp"
#include "commands/table_case.hpp"
#include "commands/visit_order.hpp"
#include "table/footprint.hpp"
#include "table/row_layout.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

constexpr double kZipfExponent = 1.05;

struct Case {
  TableCase table;
  std::int64_t rows;

  [[nodiscard]] config::Table settings() const { return table.schema().table; }
};

// Runs a table batch by batch over an order of rows, which are its ids, and clocks it.
class Driver {
 public:
  Driver(std::int32_t dim, const VisitOrder& order, std::int32_t threads)
      : order_(order),
        threads_(threads),
        dim_(static_cast<std::size_t>(dim)),
        rows_(order.rows.size()),
        values_(kBatchRows * dim_, 0.001F) {
    ids_.reserve(order.rows.size());
    for (const std::uint32_t row : order.rows) ids_.emplace_back(row);
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
    const TeamStopwatch watch(threads_);
    order_.for_each_batch(run);
    return static_cast<double>(ids_.size()) / watch.seconds();
  }
  std::span<float> floats(std::size_t rows) { return std::span(values_).first(rows * dim_); }

  const VisitOrder& order_;
  std::int32_t threads_;
  std::size_t dim_;
  std::vector<FeatureId> ids_;
  std::vector<table::Row> rows_;
  std::vector<float> values_;
};

struct Line {
  const char* what;
  const char* ids;
  double rate;
  double limit;
};

void print_line(const Case& bench, const Line& line, const BenchTableOptions& options) {
  const std::string name = fmt::format("{} {} {}", line.what, bench.table.name(), line.ids);
  const double ratio = line.rate / line.limit;
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"case", name},
                                      {"ids", line.ids},
                                      {"rows", bench.rows},
                                      {"threads", options.threads},
                                      {"rows_per_s", line.rate},
                                      {"limit_rows_per_s", line.limit},
                                      {"ratio", ratio}}
                           .dump());
  else
    fmt::print("{:<32} {:>8.2f} M rows/s   {:>4.0f} % of {:.2f} M\n", name, line.rate * 1e-6, ratio * 100,
               line.limit * 1e-6);
  std::fflush(stdout);
}

struct FilledTable {
  std::unique_ptr<table::Table> table;
  double insert_rate;
};

FilledTable fill_table(const Case& bench, ThreadTeam& team, std::int32_t repeats) {
  const VisitOrder order = arrival_order(bench.rows);
  Driver arrivals(bench.table.dim, order, team.size());
  FilledTable filled;
  std::vector<double> rates;
  for (std::int32_t r = 0; r < repeats; ++r) {
    filled.table.reset();
    filled.table = table::make_table(bench.table.schema(), {.team = &team});
    rates.push_back(arrivals.lookup(*filled.table));
  }
  filled.insert_rate = median(rates);
  return filled;
}

struct Rates {
  double lookup, gather, update, rewrite;
};

// Ours and the roofline's in turns, so that both have the same minute.
Rates visit(table::Table& table, MemoryRoofline& roofline, const VisitOrder& order,
            const BenchTableOptions& options) {
  Driver visits(table.schema().table.dim, order, options.threads);
  std::vector<double> lookup, gather, update, rewrite;
  for (std::int32_t r = 0; r < options.repeats; ++r) {
    gather.push_back(roofline.gather_rate(order));
    lookup.push_back(visits.lookup(table));
    rewrite.push_back(roofline.rewrite_rate(order));
    update.push_back(visits.update(table));
  }
  return {median(lookup), median(gather), median(update), median(rewrite)};
}

void run_case(const Case& bench, const BenchTableOptions& options) {
  ThreadTeam team(options.threads);
  const FilledTable filled = fill_table(bench, team, options.repeats);
  const table::RowLayout layout = table::make_row_layout(bench.settings());
  MemoryRoofline roofline(
      {bench.rows, layout.row_bytes, layout.value_bytes, filled.table->statistics().index_bytes}, team);
  const auto measure = [&](const char* ids, const VisitOrder& order) {
    const Rates rates = visit(*filled.table, roofline, order, options);
    print_line(bench, {"lookup", ids, rates.lookup, rates.gather}, options);
    print_line(bench, {"update", ids, rates.update, rates.rewrite}, options);
    return rates.lookup;
  };
  const VisitOrder uniform = uniform_order(bench.rows);
  const double lookup_rate = measure("uniform", uniform);
  print_line(bench, {"insert", "uniform", filled.insert_rate, lookup_rate}, options);
  measure("zipf", zipf_order(uniform.rows, kZipfExponent));
}

std::int64_t rows_of(const TableCase& table, const BenchTableOptions& options) {
  const std::int64_t rows = options.bytes > 0 ? table::rows_within(table.schema().table, options.bytes)
                                              : options.rows / std::max(1, table.dim / 32);
  return std::max<std::int64_t>(1, rows);
}

std::vector<Case> cases_of(const BenchTableOptions& options) {
  std::vector<Case> cases;
  for (const std::int32_t dim : {16, 64, 128})
    for (const config::Precision precision : {config::Precision::fp32, config::Precision::fp16}) {
      const TableCase table{dim, precision};
      cases.push_back({table, rows_of(table, options)});
    }
  return cases;
}

// Before the first measurement.
void require_memory(double bytes, const std::string& what, const char* fewer) {
  const auto memory = static_cast<double>(physical_memory_bytes());
  require_user(memory == 0 || bytes <= memory,
               "{} take at least {}, this machine has {} of memory; give fewer {}", what, memory_text(bytes),
               memory_text(memory), fewer);
}

// Counts what is certain: the rows, their copy for the roofline, and the lists of ids and places; indexes
// come on top.
void require_memory(const Case& bench, const char* fewer) {
  const double row_bytes = table::make_row_layout(bench.settings()).row_bytes;
  const double lists = 2 * sizeof(std::uint32_t) + sizeof(FeatureId) + sizeof(table::Row);
  require_memory(static_cast<double>(bench.rows) * (2 * row_bytes + lists),
                 fmt::format("the table of case '{}' with {} rows and what it is measured with",
                             bench.table.name(), bench.rows),
                 fewer);
  require_user(bench.rows <= std::numeric_limits<std::uint32_t>::max(),
               "case '{}' would have {} rows, and rows are numbered with 32 bits here; give fewer {}",
               bench.table.name(), bench.rows, fewer);
}

}  // namespace

int bench_table(const BenchTableOptions& options) {
  if (options.bytes > 0)
    require_memory(2.0 * static_cast<double>(options.bytes), "a table of --bytes and its copy", "--bytes");
  const std::vector<Case> cases = cases_of(options);
  for (const Case& bench : cases) require_memory(bench, options.bytes > 0 ? "--bytes" : "--rows");
  for (const Case& bench : cases) run_case(bench, options);
  return 0;
}

}  // namespace persia::commands
