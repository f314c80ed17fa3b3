#include "commands/inspect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>

#include "commands/whole_number.hpp"

namespace persia::commands {

namespace {

using nlohmann::ordered_json;

std::string rows_text(const ordered_json& rows) {
  std::string text;
  for (const ordered_json& row : rows)
    text += fmt::format("    {:<20}  {}\n", row["id"].get<std::string>(),
                        fmt::format("{:.6g}", fmt::join(row["values"].get<std::vector<float>>(), " ")));
  return text;
}

std::string table_text(const ordered_json& table) {
  std::string text = fmt::format(
      "  {:<20} {:>12} rows  dim {}  {}  {}{}  {} bytes\n", table["name"].get<std::string>(),
      table["rows"].get<std::int64_t>(), table["dim"].get<std::int64_t>(),
      table["precision"].get<std::string>(), table["optimizer"].get<std::string>(),
      table["state"] == "" ? std::string() : fmt::format(" ({})", table["state"].get<std::string>()),
      table["bytes"].get<std::int64_t>());
  if (table.contains("first_rows")) text += rows_text(table["first_rows"]);
  return text;
}

int inspect(const InspectOptions& options) {
  const ordered_json report = inspect_report(options);
  std::printf("%s", options.json ? (report.dump() + "\n").c_str() : inspect_text(report).c_str());
  return 0;
}

}  // namespace

std::string inspect_text(const ordered_json& report) {
  std::string text = fmt::format(
      "{}\nafter {} steps: {} batches of epoch {} (the first epoch is 0), created {}, {} owners\ntables\n",
      report["checkpoint"].get<std::string>(), report["step"].get<std::int64_t>(),
      report["batch_in_epoch"].get<std::int64_t>(), report["epoch"].get<std::int64_t>(),
      report["created"].get<std::string>(), report["num_owners"].get<std::int64_t>());
  for (const ordered_json& table : report["tables"]) text += table_text(table);
  text += "parameters\n";
  for (const ordered_json& block : report["parameters"])
    text += fmt::format("  {} ({})\n", block["name"].get<std::string>(),
                        fmt::join(block["shape"].get<std::vector<std::int64_t>>(), ", "));
  text += "files\n";
  for (const ordered_json& file : report["files"])
    text += fmt::format("  {:<28} {:>14} bytes  checksum {}  {} rows\n", file["name"].get<std::string>(),
                        file["bytes"].get<std::int64_t>(), file["checksum"].get<std::string>(),
                        file["rows"].get<std::int64_t>());
  if (report["verified"]) text += "verified: every file has its size and checksum\n";
  return text;
}

void register_inspect(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "show and verify what a checkpoint holds");
  command->add_option("CHECKPOINT", options->checkpoint, "a step folder, or a directory of them (its newest)")
      ->required();
  command->add_option("--table", options->table, "this table only");
  command->add_flag("--ids", options->ids, "the first rows of each table, with readable ids");
  command->add_option("--limit", options->limit, "rows per table with --ids")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(0));
  command->add_flag("--verify", options->verify, "read every file and compare its checksum");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options, &invocation] {
    invocation.wants_mpi = false;
    invocation.action = [options](const Process&) { return inspect(*options); };
  });
}

}  // namespace persia::commands
