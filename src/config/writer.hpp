// Writes a run file whole, defaults included, so that it reads back to equal values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "config/run_file.hpp"

namespace persia::config {

// YAML with every key that is used, defaults included; keys that the chosen format, model, mode or optimizer
// does not use are left out, as the reader refuses them. Order is that of describe.hpp. Pre: resolved
// (reader.hpp). Post: parse_run_file(resolved_text(r)) gives the same text again.
[[nodiscard]] std::string resolved_text(const RunFile& run);

// A hash of resolved_text: ranks compare it, checkpoints carry it.
[[nodiscard]] std::uint64_t run_file_hash(const RunFile& run);

// The same as a map of key -> value text ("training.optimizer.type" -> "adam"), for comparison between ranks
// that names what differs.
[[nodiscard]] std::map<std::string, std::string> facts_of(const RunFile& run);

// A commented run file with every key and its default, for `persia train --print-default`. Keys that the
// defaults do not use are commented out.
[[nodiscard]] std::string default_text();

}  // namespace persia::config
