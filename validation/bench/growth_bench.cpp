// How long batches take while a table grows by them, as JSON lines: {"case", "rows", "mean_us", "median_us",
// "p99_us", "p999_us", "max_us", "p99_ratio", "faults_per_batch"}.
//
// Every batch adds 2048 rows of new ids. Times are of the processor. p99_ratio: over the median of the same
// run. "with_faults" and "without_faults" are the batches in which the system had to give memory, and the
// others: a huge page is zeroed within a batch, which takes a virtual machine long whose host has to find it
// first. Usage: growth_bench [rows] [dim]
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "table/table.hpp"

namespace {

using namespace persia;

constexpr std::size_t kBatchRows = 2048;

struct Batch {
  double seconds;
  long faults;
};

double processor_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

long faults() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

std::vector<Batch> grow(std::size_t rows, std::int32_t dim) {
  config::TableSchema schema{.name = "growth", .table = {}, .salt = 1};
  schema.table.dim = dim;
  const auto table = table::make_table(schema, {});
  std::vector<FeatureId> ids(kBatchRows);
  std::vector<float> values(kBatchRows * static_cast<std::size_t>(dim));
  std::vector<table::Row> places(kBatchRows);
  std::vector<Batch> batches;
  for (std::uint64_t next = 0; next < rows; next += kBatchRows) {
    for (std::size_t i = 0; i < kBatchRows; ++i) ids[i] = FeatureId(next + i);
    const long faults_before = faults();
    const double start = processor_seconds();
    table->lookup(ids, table::Purpose::train, values, places, {});
    batches.push_back({processor_seconds() - start, faults() - faults_before});
  }
  return batches;
}

void report(const std::string& name, std::vector<Batch> batches) {
  if (batches.empty()) return;
  std::ranges::sort(batches, {}, &Batch::seconds);
  const auto at = [&](double share) {
    return batches[static_cast<std::size_t>(share * static_cast<double>(batches.size() - 1))].seconds * 1e6;
  };
  long all_faults = 0;
  double seconds = 0;
  for (const Batch& batch : batches) {
    all_faults += batch.faults;
    seconds += batch.seconds;
  }
  fmt::print(
      "{{\"case\": \"{}\", \"rows\": {}, \"mean_us\": {:.0f}, \"median_us\": {:.0f}, \"p99_us\": {:.0f}, "
      "\"p999_us\": {:.0f}, "
      "\"max_us\": {:.0f}, \"p99_ratio\": {:.2f}, \"faults_per_batch\": {:.3f}}}\n",
      name, batches.size() * kBatchRows, seconds / static_cast<double>(batches.size()) * 1e6, at(0.5),
      at(0.99), at(0.999), at(1), at(0.99) / at(0.5),
      static_cast<double>(all_faults) / static_cast<double>(batches.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const auto rows = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 10000000);
  const auto dim = static_cast<std::int32_t>(argc > 2 ? std::atoi(argv[2]) : 16);
  const std::vector<Batch> all = grow(rows, dim);
  std::vector<Batch> with_faults, without_faults;
  for (const Batch& batch : all) (batch.faults > 0 ? with_faults : without_faults).push_back(batch);
  report("all", all);
  report("with_faults", with_faults);
  report("without_faults", without_faults);
}
