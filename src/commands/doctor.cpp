#include "commands/doctor.hpp"

#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/memory_size.hpp"
#include "commands/doctor_checks.hpp"
#include "commands/doctor_facts.hpp"
#include "commands/whole_number.hpp"
#include "config/run_file.hpp"
#include "sys/device_team.hpp"
#include "sys/doctor_hdf5.hpp"
#include "sys/kokkos_session.hpp"
#include "sys/mpi_session.hpp"

namespace persia::commands {

namespace {

struct DoctorArguments {
  std::int64_t threads = 0;
  bool json = false;
};

// Environment variables may hold any bytes; JSON holds text.
std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Collective over `world`.
JobFacts gather_facts(const sys::Communicator& world, std::int64_t threads) {
  RankFacts own{.host = sys::examine_host(),
                .mpi = sys::examine_mpi(world),
                .devices = sys::describe_devices(),
                .environment = launch_environment()};
  JobFacts job{.threads = threads};
  for (const std::string& text : world.gather_texts(dump(to_json(own))))
    job.ranks.push_back(rank_facts_from(nlohmann::json::parse(text)));
  return job;
}

std::string size_text(std::int64_t bytes) {
  return memory_text(static_cast<double>(bytes));
}

std::string locking_text(const RankFacts& rank) {
  const auto found = rank.environment.find("HDF5_USE_FILE_LOCKING");
  return found == rank.environment.end() ? "" : fmt::format(", HDF5_USE_FILE_LOCKING={}", found->second);
}

std::string window_text(const sys::MpiFacts& mpi) {
  if (!mpi.window_problem.empty()) return "none: " + mpi.window_problem;
  return fmt::format("osc/{}, {} memory", mpi.component.empty() ? "?" : mpi.component, mpi.window_model);
}

void print_host(const std::string& host, const std::vector<int>& ranks, const JobFacts& job) {
  const RankFacts& first = job.ranks[static_cast<std::size_t>(ranks[0])];
  const sys::HostFacts& facts = first.host;
  std::vector<std::int64_t> cores;
  for (const int rank : ranks) cores.push_back(job.ranks[static_cast<std::size_t>(rank)].host.cores_allowed);
  const std::string quota = facts.cores_quota > 0 ? fmt::format(", quota {:.1f}", facts.cores_quota) : "";
  const std::string shm =
      facts.shm_total_bytes < 0
          ? "none"
          : fmt::format("{} free of {}", size_text(facts.shm_free_bytes), size_text(facts.shm_total_bytes));
  const std::string lock = facts.memlock_bytes < 0 ? "unlimited" : size_text(facts.memlock_bytes);
  fmt::print("host {}\n", host);
  fmt::print("  ranks            {}\n", fmt::join(ranks, " "));
  fmt::print("  cores            {} online{}; allowed per rank: {}\n", facts.cores_online, quota,
             fmt::join(cores, " "));
  fmt::print("  /dev/shm         {}\n", shm);
  fmt::print("  locked memory    {}\n", lock);
  fmt::print("  neighbour copy   {}\n", ranks.size() < 2                 ? "not tried, one rank"
                                        : first.mpi.copy_problem.empty() ? "allowed"
                                                                         : first.mpi.copy_problem);
  fmt::print("  networks         {}{}\n", fmt::join(facts.interfaces, " "),
             facts.infiniband ? ", and an RDMA device" : "");
  if (first.devices.empty()) fmt::print("  GPUs             none seen by this build\n");
  for (const std::string& device : first.devices) fmt::print("  GPU              {}\n", device);
}

void print_settings(const JobFacts& job) {
  for (const auto& [name, value] : job.ranks[0].mpi.settings)
    if (!value.empty()) fmt::print("  {:<33}{}\n", name, value);
}

void print_text(const JobFacts& job, const std::vector<Finding>& findings) {
  const RankFacts& first = job.ranks[0];
  const auto hosts = ranks_by_host(job);
  fmt::print("MPI                {}, thread level {}\n", first.mpi.library, first.mpi.thread_level);
  fmt::print("world              {} rank(s) on {} host(s)\n", job.ranks.size(), hosts.size());
  fmt::print("window             {}\n", window_text(first.mpi));
  fmt::print("HDF5               {}, serial driver, opened without file locks{}\n", sys::hdf5_version(),
             locking_text(first));
  fmt::print("Kokkos             {}\n", sys::KokkosSession::backend());
  fmt::print("settings of MPI\n");
  print_settings(job);
  for (const auto& [host, ranks] : hosts) print_host(host, ranks, job);
  for (const Finding& finding : findings)
    fmt::print("problem {}: {}\n  remedy: {}\n", finding.name, finding.problem, finding.remedy);
  if (findings.empty()) fmt::print("no problem found\n");
}

void print_json(const JobFacts& job, const std::vector<Finding>& findings) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const RankFacts& rank : job.ranks) ranks.push_back(to_json(rank));
  nlohmann::json problems = nlohmann::json::array();
  for (const Finding& finding : findings)
    problems.push_back({{"name", finding.name}, {"problem", finding.problem}, {"remedy", finding.remedy}});
  const nlohmann::json line = {{"hdf5", sys::hdf5_version()},
                               {"kokkos", sys::KokkosSession::backend()},
                               {"ranks", ranks},
                               {"problems", problems}};
  fmt::print("{}\n", dump(line));
}

int examine(const DoctorArguments& arguments, const Process& process) {
  std::optional<sys::MpiSession> own;  // without a launcher, MPI is started here to be looked at
  if (!process.launched) own.emplace(nullptr, nullptr);
  const sys::Communicator world = sys::Communicator::world();
  const JobFacts job = gather_facts(world, arguments.threads);
  if (world.rank() != 0) return 0;
  const std::vector<Finding> findings = diagnose(job);
  arguments.json ? print_json(job, findings) : print_text(job, findings);
  std::fflush(stdout);
  return 0;
}

}  // namespace

void register_doctor(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* command =
      app.add_subcommand("doctor", "show what this machine and launch give, and how to mend what is wrong");
  command
      ->add_option("--threads", arguments->threads,
                   "threads a trainer will compute with (training.threads), to be held against its cores")
      ->check(whole_number<std::int64_t>(0, config::most_threads));
  command->add_flag("--json", arguments->json, "print one JSON object instead of text");
  command->callback([arguments, &invocation] {
    invocation.action = [arguments](const Process& process) { return examine(*arguments, process); };
  });
}

}  // namespace persia::commands
