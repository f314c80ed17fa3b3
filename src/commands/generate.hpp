// `persia generate criteo`: seeded files in the Criteo format, and the AUC that a perfect model would reach
// on them.
#pragma once

#include <CLI/CLI.hpp>

#include "commands/invocation.hpp"

namespace persia::commands {

void register_generate(CLI::App& app, Invocation& invocation);

}  // namespace persia::commands
