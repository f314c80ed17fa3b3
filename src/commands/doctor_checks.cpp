#include "commands/doctor_checks.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace persia::commands {

namespace {

using Findings = std::vector<Finding>;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

std::string variable(const RankFacts& rank, const std::string& name) {
  const auto found = rank.environment.find(name);
  return found == rank.environment.end() ? "" : found->second;
}

std::string setting(const RankFacts& rank, const std::string& name) {
  const auto found = rank.mpi.settings.find(name);
  return found == rank.mpi.settings.end() ? "" : found->second;
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool open_mpi(const JobFacts& job, char series) {
  return job.ranks[0].mpi.library.starts_with(fmt::format("Open MPI v{}", series));
}

// --- launch -----------------------------------------------------------------------------------------------

// The launcher counts more ranks than MPI does: each process believes to be alone.
void check_lonely(const JobFacts& job, Findings& findings) {
  const RankFacts& rank = job.ranks[0];
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const std::int64_t started = number(variable(rank, name));
    if (job.ranks.size() > 1 || started <= 1) continue;
    findings.push_back(
        {"lonely-ranks",
         fmt::format("{} says {} processes, but for MPI ({}) this one is rank 0 of 1", name, started,
                     rank.mpi.library),
         "start the program with the mpirun of the MPI library it is linked to (inside a container: the "
         "same series inside and outside), or with srun --mpi=pmix where Slurm has it"});
    return;
  }
}

// srun starts several mpirun, each of which starts the whole job.
void check_nested(const JobFacts& job, Findings& findings) {
  const RankFacts& rank = job.ranks[0];
  const std::int64_t tasks = number(variable(rank, "SLURM_STEP_NUM_TASKS"));
  const auto hosts = static_cast<std::int64_t>(ranks_by_host(job).size());
  if (variable(rank, "OMPI_COMM_WORLD_SIZE").empty() || tasks <= hosts) return;
  findings.push_back(
      {"nested-launch",
       fmt::format("srun started {} tasks and mpirun runs in them, over {} host(s)", tasks, hosts),
       "call mpirun once, from the batch script or salloc, without srun in front"});
}

void check_heterogeneous(const JobFacts& job, Findings& findings) {
  const RankFacts& rank = job.ranks[0];
  const std::int64_t parts = number(variable(rank, "SLURM_HET_SIZE"));
  if (parts <= 1 || variable(rank, "OMPI_COMM_WORLD_SIZE").empty()) return;
  findings.push_back(
      {"heterogeneous-job",
       fmt::format("a Slurm job of {} components was started with mpirun, which sees the first only", parts),
       "use one allocation over mixed nodes, or srun --het-group"});
}

// Open MPI 5 does not read the host list that the MPI operator hands over in variables of the 4.1 series.
void check_operator(const JobFacts& job, Findings& findings) {
  const RankFacts& rank = job.ranks[0];
  if (!open_mpi(job, '5') || variable(rank, "OMPI_MCA_orte_default_hostfile").empty()) return;
  if (ranks_by_host(job).size() > 1) return;
  findings.push_back({"ranks-on-launcher",
                      fmt::format("all {} ranks run on {}, and {} ignores OMPI_MCA_orte_default_hostfile",
                                  job.ranks.size(), rank.host.host, rank.mpi.library),
                      "give mpirun --hostfile /etc/mpi/hostfile, or set PRTE_MCA_prte_default_hostfile"});
}

void check_libraries(const JobFacts& job, Findings& findings) {
  std::set<std::string> libraries;
  for (const RankFacts& rank : job.ranks) libraries.insert(rank.mpi.library);
  if (libraries.size() < 2) return;
  findings.push_back({"mixed-libraries",
                      fmt::format("ranks run different MPI libraries: {}", fmt::join(libraries, "; ")),
                      "use one image, or one installation on every host"});
}

void check_thread_level(const JobFacts& job, Findings& findings) {
  const RankFacts& rank = job.ranks[0];
  if (rank.mpi.thread_level != "single") return;
  findings.push_back({"thread-level", "MPI gives thread level single where funneled was asked for",
                      "nothing breaks, as one thread alone calls MPI; a build with threads is safer"});
}

// --- one-sided communication and memory -------------------------------------------------------------------

std::string window_remedy(const JobFacts& job) {
  if (ranks_by_host(job).size() == 1)
    return "mpirun --mca osc sm, or mail.transport: two_sided in the run file";
  const std::string ucx =
      "mpirun --mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any";
  return ucx + (open_mpi(job, '4') ? "; without UCX --mca osc pt2pt; " : "; ") +
         "or mail.transport: two_sided in the run file";
}

void check_window(const JobFacts& job, Findings& findings) {
  for (const RankFacts& rank : job.ranks) {
    if (rank.mpi.window_problem.empty()) continue;
    findings.push_back({"no-window",
                        fmt::format("MPI cannot make a window ({}) with osc '{}', pml '{}', btl '{}'",
                                    rank.mpi.window_problem, setting(rank, "osc"), setting(rank, "pml"),
                                    setting(rank, "btl")),
                        window_remedy(job)});
    return;
  }
}

void check_copy(const JobFacts& job, Findings& findings) {
  for (const RankFacts& rank : job.ranks) {
    if (rank.mpi.copy_problem.empty()) continue;
    const std::string scope =
        rank.host.ptrace_scope.empty() ? "" : ", ptrace_scope " + rank.host.ptrace_scope;
    findings.push_back(
        {"copy-denied",
         fmt::format("a rank on {} may not read its neighbour's memory ({}{})", rank.host.host,
                     rank.mpi.copy_problem, scope),
         fmt::format("OMPI_MCA_btl_{}_single_copy_mechanism=none, or give the container SYS_PTRACE",
                     open_mpi(job, '4') ? "vader" : "sm")});
    return;
  }
}

void check_shared_memory(const JobFacts& job, Findings& findings) {
  constexpr std::int64_t container_default = 64 * mebibyte;
  constexpr std::int64_t per_rank = 32 * mebibyte;  // Open MPI's segments and rings of the default size
  for (const auto& [host, ranks] : ranks_by_host(job)) {
    const sys::HostFacts& facts = job.ranks[static_cast<std::size_t>(ranks[0])].host;
    const std::int64_t wanted = per_rank * static_cast<std::int64_t>(ranks.size());
    if (ranks.size() < 2 || (facts.shm_free_bytes >= wanted && facts.shm_total_bytes > container_default))
      continue;
    findings.push_back(
        {"small-shm",
         fmt::format("/dev/shm on {} has {} MiB free of {} MiB for {} ranks", host,
                     facts.shm_free_bytes / mebibyte, facts.shm_total_bytes / mebibyte, ranks.size()),
         "docker run --shm-size=1g; Kubernetes: an emptyDir of medium Memory at /dev/shm; and remove "
         "what dead jobs left there"});
  }
}

void check_locked_memory(const JobFacts& job, Findings& findings) {
  for (const RankFacts& rank : job.ranks) {
    const std::int64_t limit = rank.host.memlock_bytes;
    if (!rank.host.infiniband || limit < 0 || limit >= 1024 * mebibyte) continue;
    findings.push_back(
        {"memlock",
         fmt::format("{} has an RDMA device, but only {} MiB may be locked", rank.host.host,
                     limit / mebibyte),
         "ulimit -l unlimited on every host (limits.conf; Slurm: PropagateResourceLimits; containers: "
         "--ulimit memlock=-1)"});
    return;
  }
}

// --- cores ------------------------------------------------------------------------------------------------

std::int64_t threads_of(const JobFacts& job, const RankFacts& rank) {
  return job.threads > 0 ? job.threads : number(variable(rank, "OMP_NUM_THREADS"));
}

// One finding for the first rank concerned: more threads than its host has cores, which no launch can mend.
void check_threads(const JobFacts& job, Findings& findings) {
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    const RankFacts& rank = job.ranks[i];
    const std::int64_t threads = threads_of(job, rank);
    const std::int64_t cores = rank.host.cores_online;
    if (cores == 0 || threads <= cores) continue;
    findings.push_back(
        {"too-many-threads",
         fmt::format("rank {} computes with {} threads, but {} has {} core(s)", i, threads, rank.host.host,
                     cores),
         fmt::format("training.threads (or OMP_NUM_THREADS): at most {}; 0 takes a fair share", cores)});
    return;
  }
}

// One finding for the first rank concerned: more threads than cores that it may use, or one core, where the
// host has more to give.
void check_binding(const JobFacts& job, Findings& findings) {
  const auto hosts = ranks_by_host(job);
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    const RankFacts& rank = job.ranks[i];
    const std::int64_t threads = threads_of(job, rank);
    const std::int64_t cores = rank.host.cores_allowed;
    const auto neighbours = static_cast<std::int64_t>(hosts.at(rank.host.host).size());
    const bool too_many = threads > cores && cores < rank.host.cores_online;
    const bool starved = threads == 0 && cores == 1 && rank.host.cores_online >= 2 * neighbours;
    if (cores == 0 || (!too_many && !starved)) continue;
    const std::string wish = too_many ? fmt::format("{} threads", threads) : "one thread";
    findings.push_back(
        {"one-core",
         fmt::format("rank {} computes with {} but may use {} of {} cores on {}", i, wish, cores,
                     rank.host.cores_online, rank.host.host),
         "mpirun --bind-to none (or --map-by slot:PE=THREADS), or training.threads: that many"});
    return;
  }
}

// Cores that all ranks of a host may use together, at most.
double usable_cores(const sys::HostFacts& facts) {
  const auto online = static_cast<double>(facts.cores_online);
  return facts.cores_quota > 0 ? std::min(online, facts.cores_quota) : online;
}

void check_yield(const JobFacts& job, Findings& findings) {
  for (const auto& [host, ranks] : ranks_by_host(job)) {
    const RankFacts& rank = job.ranks[static_cast<std::size_t>(ranks[0])];
    const double cores = usable_cores(rank.host);
    const std::string yields = setting(rank, "mpi_yield_when_idle");
    const bool spins = yields == "0" || yields == "false";
    if (!spins || static_cast<double>(ranks.size()) <= cores) continue;
    findings.push_back({"no-yield",
                        fmt::format("{} ranks share {} core(s) on {}, and waiting ranks keep theirs busy",
                                    ranks.size(), cores, host),
                        "mpirun --mca mpi_yield_when_idle 1"});
    return;
  }
}

void check_quota(const JobFacts& job, Findings& findings) {
  for (const auto& [host, ranks] : ranks_by_host(job)) {
    const sys::HostFacts& facts = job.ranks[static_cast<std::size_t>(ranks[0])].host;
    if (facts.cores_quota <= 0 || facts.cores_quota >= static_cast<double>(facts.cores_allowed)) continue;
    findings.push_back(
        {"cpu-quota",
         fmt::format("{} shows {} cores, but the container may use the time of {:.1f}", host,
                     facts.cores_allowed, facts.cores_quota),
         "set training.threads so that all ranks of a host stay within it, or raise the CPU limit"});
  }
}

// --- network, GPUs ----------------------------------------------------------------------------------------

void check_bridges(const JobFacts& job, Findings& findings) {
  if (ranks_by_host(job).size() < 2) return;
  constexpr std::array<std::string_view, 5> bridges{"docker", "virbr", "br-", "cni", "podman"};
  for (const RankFacts& rank : job.ranks) {
    if (!setting(rank, "btl_tcp_if_include").empty()) continue;
    for (const std::string& name : rank.host.interfaces) {
      if (std::ranges::none_of(bridges, [&](auto prefix) { return name.starts_with(prefix); })) continue;
      findings.push_back(
          {"bridge-interface",
           fmt::format("{} has the interface {}, which leads to no other host; MPI may hang on it",
                       rank.host.host, name),
           "mpirun --mca btl_tcp_if_include NETWORK/BITS --mca oob_tcp_if_include NETWORK/BITS"});
      return;
    }
  }
}

// Ranks of one host that see different single GPUs cannot copy between them directly.
void check_hidden_devices(const JobFacts& job, Findings& findings) {
  for (const auto& [host, ranks] : ranks_by_host(job)) {
    std::set<std::string> seen;
    for (const int i : ranks)
      seen.insert(variable(job.ranks[static_cast<std::size_t>(i)], "CUDA_VISIBLE_DEVICES"));
    if (seen.size() < 2) continue;
    findings.push_back(
        {"hidden-gpus",
         fmt::format("ranks on {} see different GPUs (CUDA_VISIBLE_DEVICES {})", host,
                     fmt::join(seen, " | ")),
         "let every rank see all GPUs of its host: Slurm --gpus-per-node with --gpu-bind=none"});
    return;
  }
}

}  // namespace

std::vector<Finding> diagnose(const JobFacts& job) {
  Findings findings;
  for (const auto check :
       {check_lonely, check_nested, check_heterogeneous, check_operator, check_libraries, check_thread_level,
        check_window, check_copy, check_shared_memory, check_locked_memory, check_threads, check_binding,
        check_yield, check_quota, check_bridges, check_hidden_devices})
    check(job, findings);
  return findings;
}

}  // namespace persia::commands
