// Writes a run file whole, defaults included, so that it reads back to equal values.
#pragma once

#include <cstdint>
#include <string>

#include "config/run_file.hpp"

namespace persia::config {

// YAML with every key. Post: parse_run_file(resolved_text(r)) gives the same text again.
[[nodiscard]] std::string resolved_text(const RunFile& run);

// A hash of resolved_text: ranks compare it, checkpoints carry it.
[[nodiscard]] std::uint64_t run_file_hash(const RunFile& run);

// A commented run file with every key and its default, for `persia train --print-default`.
[[nodiscard]] std::string default_text();

}  // namespace persia::config
