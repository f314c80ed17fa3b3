// `persia bench step RUN.yaml`: samples per second of the whole training step, and where the time goes.
#pragma once

#include <cstdint>

#include "commands/invocation.hpp"

namespace persia::commands {

struct BenchStepOptions {
  RunFileArguments run_file;
  std::int64_t steps = 200;
  std::int64_t warm_up_steps = 10;
  bool json = false;
};

// Trains `steps` steps after the warm-up, without evaluation and checkpoints. `ratio` is the compute thread's
// busy share: this rate over the one that the dense computation alone would allow. Returns the exit code.
// Collective over the world.
[[nodiscard]] int bench_step(const BenchStepOptions& options, Process& process);

}  // namespace persia::commands
