#include "commands/job_commands.hpp"

#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/reader.hpp"
#include "config/writer.hpp"
#include "model/network.hpp"
#include "roles/agree.hpp"
#include "train/job.hpp"

namespace persia::commands {

namespace {

struct JobArguments {
  RunFileArguments run_file;
  train::JobOptions options;
  bool check = false;
  bool print_default = false;
};

void print_result(const nlohmann::json& result) {
  if (result.is_null()) return;
  std::printf("result %s\n", result.dump().c_str());
  std::fflush(stdout);
}

config::Purpose purpose_of(train::Task task) {
  switch (task) {
    case train::Task::train:
      return config::Purpose::train;
    case train::Task::evaluate:
      return config::Purpose::evaluate;
    case train::Task::predict:
      return config::Purpose::predict;
  }
  return config::Purpose::train;
}

int run(const JobArguments& arguments, Process& process) {
  const sys::Communicator world = process.world();
  config::RunFile run_file;
  roles::agree(world, [&] {
    run_file = config::read_run_file(arguments.run_file.path, arguments.run_file.overrides,
                                     purpose_of(arguments.options.task));
  });
  set_log_level(run_file.log_level);
  print_result(train::run_job(run_file, arguments.options, world, process.watcher));
  return 0;
}

// What a run would do, without doing it: the resolved file and the network, layer by layer.
int check(const JobArguments& arguments) {
  const config::RunFile run_file =
      config::read_run_file(arguments.run_file.path, arguments.run_file.overrides);
  const config::Schema schema = config::make_schema(run_file);
  std::printf("%s\n# network\n%s", config::resolved_text(run_file).c_str(),
              model::describe_network(run_file.model, schema).c_str());
  return 0;
}

}  // namespace

void add_run_file(CLI::App& command, RunFileArguments& arguments, bool required) {
  CLI::Option* path =
      command.add_option("RUN.yaml", arguments.path, "run file (inputs/README.md lists every key)");
  if (required) path->required();
  command.add_option("--set", arguments.overrides, "change one key: section.key=value; may be given again")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void register_train(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<JobArguments>();
  CLI::App* command = app.add_subcommand("train", "train a model as the run file says, evaluate and save it");
  add_run_file(*command, arguments->run_file, false);
  command->add_flag("--resume", arguments->options.resume,
                    "go on from the newest complete checkpoint of this run, or start if there is none");
  command->add_flag("--overwrite", arguments->options.overwrite,
                    "replace the checkpoints of an earlier training in the same output");
  command->add_flag("--check", arguments->check,
                    "print the resolved run file and the network, train nothing");
  command->add_flag("--print-default", arguments->print_default, "print a commented run file with every key");
  command->callback([arguments, &invocation] {
    invocation.wants_mpi = !arguments->check && !arguments->print_default;
    invocation.action = [arguments](Process& process) {
      if (arguments->print_default) {
        require_user(
            arguments->run_file.path.empty() && arguments->run_file.overrides.empty(),
            "persia train --print-default prints the defaults of every key and reads no run file; leave "
            "RUN.yaml and --set out, or use --check to see what a file resolves to");
        std::printf("%s", config::default_text().c_str());
        return 0;
      }
      require_user(!arguments->run_file.path.empty(),
                   "persia train needs a run file; see persia train --help");
      return arguments->check ? check(*arguments) : run(*arguments, process);
    };
  });
}

void register_eval(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<JobArguments>();
  arguments->options.task = train::Task::evaluate;
  CLI::App* command = app.add_subcommand("eval", "evaluate a checkpoint on the run file's test data");
  add_run_file(*command, arguments->run_file, true);
  command->add_option("--checkpoint", arguments->options.checkpoint,
                      "checkpoint folder, or one step in it (default: the newest of this run)");
  command->callback([arguments, &invocation] {
    invocation.action = [arguments](Process& process) { return run(*arguments, process); };
  });
}

void register_predict(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<JobArguments>();
  arguments->options.task = train::Task::predict;
  CLI::App* command =
      app.add_subcommand("predict", "write the probability of each row of the run file's test data");
  add_run_file(*command, arguments->run_file, true);
  command->add_option("--checkpoint", arguments->options.checkpoint,
                      "checkpoint folder, or one step in it (default: the newest of this run)");
  command->add_option("--output", arguments->options.output, "file to write: .csv, .h5 or .hdf5")->required();
  command->callback([arguments, &invocation] {
    invocation.action = [arguments](Process& process) { return run(*arguments, process); };
  });
}

}  // namespace persia::commands
