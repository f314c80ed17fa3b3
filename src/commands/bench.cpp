#include "commands/bench.hpp"

#include <memory>

#include "commands/bench_capacity.hpp"
#include "commands/bench_dense.hpp"
#include "commands/bench_embedding.hpp"
#include "commands/bench_service.hpp"
#include "commands/bench_step.hpp"
#include "commands/bench_table.hpp"
#include "commands/job_commands.hpp"
#include "commands/whole_number.hpp"
#include "config/run_file.hpp"
#include "sys/device_team.hpp"

namespace persia::commands {

namespace {

constexpr std::int64_t most_steps = 1'000'000'000'000;  // sums of two stay far below 2^63

template <class Options>
void add_repeats_and_json(CLI::App& command, Options& options) {
  command.add_option("--repeats", options.repeats, "the median of so many is printed")
      ->capture_default_str()
      ->check(whole_number<std::int32_t>(1));
  command.add_flag("--json", options.json, "one JSON object per line");
}

void register_step(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchStepOptions>();
  CLI::App* command =
      bench.add_subcommand("step", "samples/s of the whole training step and where its time goes");
  add_run_file(*command, options->run_file, true);
  command->add_option("--steps", options->steps, "measured steps")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(1, most_steps));
  command->add_option("--warm-up", options->warm_up_steps, "steps before them")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(0, most_steps));
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &invocation] {
    invocation.action = [options](Process& process) { return bench_step(*options, process); };
  });
}

void register_table(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchTableOptions>();
  CLI::App* command =
      bench.add_subcommand("table", "rows/s of the embedding table beside the memory's own rate");
  CLI::Option* rows = command->add_option("--rows", options->rows, "rows at dim 16; fewer for wider ones")
                          ->capture_default_str()
                          ->check(whole_number<std::int64_t>(1));
  command
      ->add_option("--bytes", options->bytes, "instead of --rows: memory that the table of every case fills")
      ->check(whole_number<std::int64_t>(1))
      ->excludes(rows);
  command->add_option("--threads", options->threads, "threads that share a batch, as those of an owner do")
      ->capture_default_str()
      ->check(whole_number<std::int32_t>(1, config::most_threads));
  add_repeats_and_json(*command, *options);
  command->callback([options, &invocation] {
    invocation.wants_mpi = false;
    invocation.action = [options](Process&) { return bench_table(*options); };
  });
}

void register_embedding(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchEmbeddingOptions>();
  CLI::App* command = bench.add_subcommand(
      "embedding", "rows/s of a step's embedding part: look-up, and with gradients and update");
  add_run_file(*command, options->run_file, true);
  command->add_option("--threads", options->threads, "threads of the tables, plans made ahead included")
      ->capture_default_str()
      ->check(whole_number<std::int32_t>(1, config::most_threads));
  add_repeats_and_json(*command, *options);
  command->callback([options, &invocation] {
    invocation.wants_mpi = false;
    invocation.action = [options](Process&) { return bench_embedding(*options); };
  });
}

void register_capacity(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchCapacityOptions>();
  CLI::App* command =
      bench.add_subcommand("capacity", "bytes of memory that a row takes, predicted and measured");
  command->add_option("--mebibytes", options->budget_mebibytes, "memory to fill, for each case anew")
      ->capture_default_str()
      ->check(whole_number<std::int64_t>(1, std::int64_t{1} << 40));
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &invocation] {
    invocation.wants_mpi = false;
    invocation.action = [options](Process&) { return bench_capacity(*options); };
  });
}

void register_service(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchServiceOptions>();
  CLI::App* command = bench.add_subcommand(
      "service",
      "round trips and rows/s between ranks beside the table called directly; needs mpirun -n 2 or more");
  command->add_option("--owners", options->owners, "ranks that own the table; all others ask")
      ->capture_default_str()
      ->check(whole_number<std::int32_t>(1));
  command->add_option("--seconds", options->seconds, "of each measurement")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 60.0));
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &invocation] {
    invocation.action = [options](Process& process) { return bench_service(*options, process); };
  });
}

void register_dense(CLI::App& bench, Invocation& invocation) {
  auto options = std::make_shared<BenchDenseOptions>();
  CLI::App* command =
      bench.add_subcommand("dense", "samples/s of the dense network beside its matrix products alone");
  command->add_option("--threads", options->threads, "compute threads")
      ->capture_default_str()
      ->check(whole_number<std::int32_t>(1, config::most_threads));
  add_repeats_and_json(*command, *options);
  command->callback([options, &invocation] {
    invocation.action = [options](Process& process) {
      return bench_dense(*options, sys::choose_device(process.world()));
    };
  });
}

}  // namespace

void register_bench(CLI::App& app, Invocation& invocation) {
  CLI::App* bench = app.add_subcommand("bench", "measure parts of the program on this machine");
  bench->require_subcommand(1);
  register_step(*bench, invocation);
  register_table(*bench, invocation);
  register_embedding(*bench, invocation);
  register_service(*bench, invocation);
  register_capacity(*bench, invocation);
  register_dense(*bench, invocation);
}

}  // namespace persia::commands
