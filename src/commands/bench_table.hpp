// `persia bench table`: rows per second of the embedding table, beside what this machine's memory allows.
//
// Lines on standard output, one per case: insert, lookup and update for dim 16, 64 and 128 in fp32 and fp16,
// row-wise Adagrad. Look-ups and updates once over every row in random order ("uniform"), and
// once over as many ids drawn from a Zipf distribution with exponent 1.05, each once in a batch of 16384
// draws ("zipf"); the rows are the same. `ratio` is our rate over the roofline's over the same order of
// records, measured in the same run (memory_roofline.hpp); for insert over the lookup rate. With one thread
// rates are of its processor time, with more of the time that passed; medians of `repeats`.
#pragma once

#include <cstdint>

namespace persia::commands {

struct BenchTableOptions {
  bool json = false;
  std::int64_t rows = 4'000'000;  // at dim 16; fewer for wider rows, so that values keep the same bytes
  std::int64_t bytes = 0;         // where above 0, every case has as many rows as a table of so many bytes
  std::int32_t threads = 1;       // that share a batch, ours and the roofline's
  std::int32_t repeats = 5;
};

// Returns the exit code. UserError if a table does not fit this machine's memory.
int bench_table(const BenchTableOptions& options);

}  // namespace persia::commands
