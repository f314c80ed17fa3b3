// `persia bench table`: rows per second of the embedding table, beside what this machine's memory allows.
//
// One line per case on standard output: insert, lookup and update for dim 16, 64 and 128 in fp32 and fp16,
// row-wise Adagrad, every row once in random order, one thread. `ratio` is our rate over the roofline's
// measured in the same run (memory_roofline.hpp); for insert over the lookup rate. Processor time of the one
// thread; medians of `repeats`.
#pragma once

#include <cstdint>

namespace persia::commands {

struct BenchTableOptions {
  bool json = false;
  std::int64_t rows =
      4'000'000;  // at dim 16 and 32; fewer for wider rows, so that values keep the same bytes
  std::int32_t repeats = 5;
};

// Returns the exit code. UserError if a table does not fit this machine's memory.
int bench_table(const BenchTableOptions& options);

}  // namespace persia::commands
