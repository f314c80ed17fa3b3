#include "commands/program.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "commands/bench.hpp"
#include "commands/doctor.hpp"
#include "commands/generate.hpp"
#include "commands/inspect.hpp"
#include "commands/invocation.hpp"
#include "commands/job_commands.hpp"
#include "roles/agree.hpp"
#include "sys/heap.hpp"
#include "sys/mpi_session.hpp"
#include "sys/signals.hpp"

namespace persia::commands {

sys::Communicator Process::world() const {
  return launched ? sys::Communicator::world() : sys::Communicator::self();
}

namespace {

void print_error(const Error& error) {
  if (error.exit_code() == 2)
    log::error("{}", error.what());
  else
    log::error("{} [{}:{}]", error.what(), error.where().file_name(), error.where().line());
}

// Prints what ended the run and returns the exit code.
int report(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    print_error(error);
    return error.exit_code();
  } catch (const std::exception& error) {
    log::error("{}", error.what());
  } catch (...) {
    log::error("unknown failure");
  }
  return 1;
}

observe::Ending ending_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const StuckError&) {
    return observe::Ending::stuck;
  } catch (...) {
    return observe::Ending::failed;
  }
}

// The one catch. A failure that all ranks know of ends in an orderly way; any other ends the whole job.
int run_action(const Invocation& invocation, Process& process) {
  try {
    return invocation.action(process);
  } catch (const roles::StoppedTogether& stopped) {
    if (stopped.own) (void)report(stopped.own);
    return stopped.exit_code;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    const int exit_code = report(failure);
    if (process.watcher) process.watcher->announce_failure(exit_code, ending_of(failure));
    if (process.launched) sys::MpiSession::abort(exit_code);
    return exit_code;
  }
}

int exit_code_of(const CLI::ParseError& outcome) {
  return outcome.get_exit_code() == 0 ? 0 : 2;
}

// Prints the help that was asked for, or the mistake.
int report_parsing(const CLI::App& app, const CLI::ParseError& outcome) {
  if (exit_code_of(outcome) == 0)
    (void)app.exit(outcome);
  else
    log::error("{}; --help, also behind a subcommand, shows what there is", outcome.what());
  return exit_code_of(outcome);
}

}  // namespace

int run_program(int argc, char** argv) {
  // 1. The command line, before MPI: help and mistakes need no launcher, and one rank says them.
  const bool speaks = sys::MpiSession::launched_rank() == 0;
  CLI::App app("Train recommender models with tables larger than one machine, over MPI ranks.", "persia");
  app.set_version_flag("--version", "persia " PERSIA_VERSION);
  app.require_subcommand(1);
  Invocation invocation;
  register_train(app, invocation);
  register_eval(app, invocation);
  register_predict(app, invocation);
  register_generate(app, invocation);
  register_inspect(app, invocation);
  register_doctor(app, invocation);
  register_bench(app, invocation);
  set_log_speaker("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& mistake) {
    return speaks ? report_parsing(app, mistake) : exit_code_of(mistake);
  }
  // What needs no MPI is one process's work, however many were started.
  if (!invocation.wants_mpi && !speaks) return 0;

  // 2. The process: a file-size limit is an error of a write, not the end of the process; memory that is
  // freed will be used again.
  sys::ignore_file_size_signal();
  sys::keep_freed_memory();

  // 3. MPI, if a launcher started us, around the action.
  Process process;
  std::optional<sys::MpiSession> mpi;
  if (invocation.wants_mpi && sys::MpiSession::launched()) {
    mpi.emplace(&argc, &argv);
    process.launched = true;
  }
  return run_action(invocation, process);
}

}  // namespace persia::commands
