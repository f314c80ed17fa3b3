// How a subcommand is started: what main parsed, and the process it runs in.
//
// Parsing happens before MPI starts, so `--help` and mistakes on the command line need no launcher; the
// chosen subcommand's action runs afterwards, on every rank.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "observe/watcher.hpp"
#include "sys/communicator.hpp"

namespace persia::commands {

// What a subcommand needs to run with.
struct Process {
  bool launched = false;  // by mpirun or the like: world() may be called
  // A duplicate of the world, or self() for a single process. Collective.
  [[nodiscard]] sys::Communicator world() const;
  // Of the job under way; told by the one catch when this rank fails alone.
  std::unique_ptr<observe::Watcher> watcher;
};

struct Invocation {
  // Set by the chosen subcommand's callback; returns the exit code. Errors are thrown.
  std::function<int(Process&)> action;
  bool wants_mpi = true;
};

// RUN.yaml and --set, shared by the subcommands that take a run file.
struct RunFileArguments {
  std::string path;
  std::vector<std::string> overrides;
};

}  // namespace persia::commands
