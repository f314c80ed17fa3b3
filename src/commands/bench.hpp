// `persia bench ...`: measurements of this machine by the program's own parts. `--json` prints one object per
// line, each with `case`, its rate and, where a limit is measured in the same run, `ratio` (ours over the
// limit).
#pragma once

#include <CLI/CLI.hpp>

#include "commands/invocation.hpp"

namespace persia::commands {

void register_bench(CLI::App& app, Invocation& invocation);

}  // namespace persia::commands
