// `persia bench dense`: samples per second of the dense network's step, beside its own matrix products.
//
// One line per case on standard output: the networks of inputs/dlrm-criteo.yaml and inputs/ffnn-persia.yaml
// at batch 256, 2048 and 16384; a step is forward, loss, backward and SGD over all parameters, on one
// process. `ratio` is the time of the plain products of the same shapes over the step's (1 = nothing but
// products), both measured in turns; medians of `repeats`. One thread is clocked by its processor time,
// several by the wall clock.
#pragma once

#include <cstdint>

namespace persia::commands {

struct BenchDenseOptions {
  bool json = false;
  std::int32_t threads = 1;
  std::int32_t repeats = 5;
  double min_seconds = 0.3;  // of one repeat; at least one step
};

// `device` is what sys::choose_device answered. Returns the exit code.
int bench_dense(const BenchDenseOptions& options, int device);

}  // namespace persia::commands
