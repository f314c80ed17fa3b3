#include "commands/bench_step.hpp"

#include <cstdio>

#include "base/log.hpp"
#include "config/names.hpp"
#include "config/reader.hpp"
#include "roles/agree.hpp"
#include "train/job.hpp"

namespace persia::commands {

namespace {

nlohmann::json line_of(const config::RunFile& run, const nlohmann::json& result) {
  const nlohmann::json& share = result.at("time_share");
  return {{"case", "step " + run.name},
          {"mode", config::name_of(run.training.mode)},
          {"batch_size", run.training.batch_size},
          {"ranks", result.at("ranks")},
          {"steps", result.at("steps")},
          {"samples_per_s", result.at("samples_per_s")},
          {"time_share", share},
          {"ratio", share.at("compute")}};
}

void print_table(const nlohmann::json& line) {
  std::printf("%-24s %10.0f samples/s\n", line.at("case").get<std::string>().c_str(),
              line.at("samples_per_s").get<double>());
  for (const auto& [part, share] : line.at("time_share").items())
    std::printf("  %-22s %9.1f %%\n", part.c_str(), 100 * share.get<double>());
}

}  // namespace

int bench_step(const BenchStepOptions& options, Process& process) {
  const sys::Communicator world = process.world();
  config::RunFile run;
  roles::agree(world, [&] {
    run = config::read_run_file(options.run_file.path, options.run_file.overrides);
    run.training.max_steps = options.warm_up_steps + options.steps;
    run.training.epochs = 1'000'000;  // the step count ends it
  });
  set_log_level(run.log_level);
  train::JobOptions job;
  job.measure_only = true;
  job.warm_up_steps = options.warm_up_steps;
  const nlohmann::json result = train::run_job(run, job, world, process.watcher);
  if (result.is_null()) return 0;
  const nlohmann::json line = line_of(run, result);
  if (options.json)
    std::printf("%s\n", line.dump().c_str());
  else
    print_table(line);
  std::fflush(stdout);
  return 0;
}

}  // namespace persia::commands
