// `persia bench capacity`: what a row of an embedding table takes in memory, predicted and measured.
//
// Fills one table after another with new rows up to a budget of resident memory, for dim 16, 64 and 128 in
// fp32 and fp16 with row-wise Adagrad. One line per case on standard output: bytes per row as
// predict_footprint() expects them and as the system counts them, `ratio` measured over predicted, rows added
// per second, and the rows and parameters that 12 TB hold at the measured size.
#pragma once

#include <cstdint>

namespace persia::commands {

struct BenchCapacityOptions {
  bool json = false;
  std::int64_t budget_mebibytes = 1024;  // of each table
};

// Returns the exit code. UserError if the budget does not fit this machine's memory.
int bench_capacity(const BenchCapacityOptions& options);

}  // namespace persia::commands
