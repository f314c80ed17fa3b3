#include "commands/generate.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "commands/whole_number.hpp"
#include "data/generate.hpp"

namespace persia::commands {

namespace {

struct GenerateArguments {
  data::GenerateOptions options;
  bool json = false;
};

// JSON and people alike learn that a file of one class has no AUC.
nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

std::string auc_text(double auc) {
  return std::isfinite(auc) ? fmt::format("{:.4f}", auc) : "undefined, as there is one class only";
}

int generate(const GenerateArguments& arguments) {
  const data::GenerateOptions& options = arguments.options;
  const data::GenerateResult result = data::generate_criteo(options);
  if (arguments.json) {
    const nlohmann::json line = {{"folder", options.folder.string()},
                                 {"train_rows", options.train_rows},
                                 {"test_rows", options.test_rows},
                                 {"positives", number_or_null(result.positives)},
                                 {"best_possible_train_auc", number_or_null(result.train_auc)},
                                 {"best_possible_test_auc", number_or_null(result.test_auc)}};
    std::printf("%s\n", line.dump().c_str());
  } else {
    std::printf("%s: %lld training rows, %lld test rows, %.1f %% positive\nbest possible test auc %s\n",
                options.folder.c_str(), static_cast<long long>(options.train_rows),
                static_cast<long long>(options.test_rows), 100 * result.positives,
                auc_text(result.test_auc).c_str());
  }
  return 0;
}

void add_options(CLI::App& command, GenerateArguments& arguments) {
  data::GenerateOptions& options = arguments.options;
  command.add_option("--output", options.folder, "folder for train.tsv, test.tsv and teacher.json")
      ->required();
  command.add_option("--rows", options.train_rows, "training rows")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(1));
  command.add_option("--test-rows", options.test_rows, "test rows")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(1));
  command.add_option("--seed", options.seed, "of every random number")
      ->capture_default_str()
      ->check(whole_number<std::uint64_t>(0));
  command
      .add_option("--cardinality", options.cardinality,
                  "ids of the largest column; the others have fixed fractions of it")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(1));
  command.add_option("--zipf", options.zipf, "exponent of the ids' frequencies")->capture_default_str();
  command.add_option("--blank", options.blank, "share of blank fields")->capture_default_str();
  command.add_flag("--gzip", options.gzip, "write .tsv.gz");
  command.add_flag("--json", arguments.json, "print one JSON object instead of text");
}

}  // namespace

void register_generate(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* command = app.add_subcommand("generate", "write data to train on");
  command->require_subcommand(1);
  CLI::App* criteo = command->add_subcommand("criteo",
                                             "label, 13 numbers, 26 categories; labels are drawn from a "
                                             "known model, so the best possible AUC is known");
  add_options(*criteo, *arguments);
  criteo->callback([arguments, &invocation] {
    invocation.wants_mpi = false;
    invocation.action = [arguments](const Process&) { return generate(*arguments); };
  });
}

}  // namespace persia::commands
