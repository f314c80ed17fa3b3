// `persia train`, `persia eval` and `persia predict`: command line to train::run_job.
#pragma once

#include <CLI/CLI.hpp>

#include "commands/invocation.hpp"

namespace persia::commands {

// RUN.yaml and --set of every subcommand that takes a run file.
void add_run_file(CLI::App& command, RunFileArguments& arguments, bool required);

void register_train(CLI::App& app, Invocation& invocation);
void register_eval(CLI::App& app, Invocation& invocation);
void register_predict(CLI::App& app, Invocation& invocation);

}  // namespace persia::commands
