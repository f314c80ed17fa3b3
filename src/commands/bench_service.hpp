// `persia bench service`: look-ups and updates between ranks, beside the same table called directly.
//
// The first `owners` ranks own a table, all others are clients; both transports in turns. Round trips of one
// look-up of a few ids are those of the first client while the others are idle; rates are those of all
// clients together, with four requests of 4096 ids each under way, as in training. `ratio` of a rate: per
// owner, over the rate at which one thread calls such a table directly in the same run; of the last lines of
// a dim: one-sided over two-sided.
#pragma once

#include <cstdint>

#include "commands/invocation.hpp"

namespace persia::commands {

struct BenchServiceOptions {
  std::int32_t owners = 1;
  double seconds = 0.5;  // of each measurement
  bool json = false;
};

// Returns the exit code. Collective over the world. UserError if there is no rank for a client.
[[nodiscard]] int bench_service(const BenchServiceOptions& options, Process& process);

}  // namespace persia::commands
