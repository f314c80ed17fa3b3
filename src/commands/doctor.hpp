// `persia doctor`: what this machine and launch give, and remedies for what is wrong with them.
#pragma once

#include <CLI/CLI.hpp>

#include "commands/invocation.hpp"

namespace persia::commands {

void register_doctor(CLI::App& app, Invocation& invocation);

}  // namespace persia::commands
