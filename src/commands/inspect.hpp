// `persia inspect CHECKPOINT`: what a checkpoint holds, without a training: manifest, tables, parameters,
// first rows with readable ids, verification. As text, or as one JSON object with --json. One process.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "commands/invocation.hpp"

namespace persia::commands {

struct InspectOptions {
  std::string checkpoint;  // a step folder, or a directory of them: then its newest
  std::string table;       // "": all
  bool ids = false;        // the first rows of each table
  std::int64_t limit = 10;
  bool verify = false;
  bool json = false;
};

// UserError if there is no complete checkpoint, no such table, or (with verify) a file is damaged or the
// newest of a directory cannot be used.
[[nodiscard]] nlohmann::ordered_json inspect_report(const InspectOptions& options);
[[nodiscard]] std::string inspect_text(const nlohmann::ordered_json& report);

void register_inspect(CLI::App& app, Invocation& invocation);

}  // namespace persia::commands
