// `persia bench embedding RUN.yaml`: rows per second of the embedding part of a training step, in one
// process.
//
// Lines on standard output, medians of `repeats`, each of whole passes over the batches for min_seconds:
//   forward    ids of a batch as they are, repeated ones too, to the network's input (batch, embedded_width)
//   training   unique ids (embed/plan.hpp), their rows, that input, gradients back to unique rows, update
// Rows are those that samples ask for: batch_size times columns for a step. Run files with data.format
// synthetic only, whose samples any other system can make too. With two threads or more, plans of the batches
// to come are made by one of them, as in training, and the tables share out over all others.
#pragma once

#include <cstdint>

#include "commands/invocation.hpp"

namespace persia::commands {

struct BenchEmbeddingOptions {
  RunFileArguments run_file;
  std::int32_t threads = 1;
  std::int32_t repeats = 3;
  double min_seconds = 2;  // of one repeat
  bool json = false;
};

// Returns the exit code. UserError for other data formats.
int bench_embedding(const BenchEmbeddingOptions& options);

}  // namespace persia::commands
