#include "commands/doctor_facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace persia::sys {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFacts, host, cores_online, cores_allowed, cores_quota, shm_total_bytes,
                                   shm_free_bytes, memlock_bytes, ptrace_scope, interfaces, infiniband)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MpiFacts, library, thread_level, component, window_model, window_problem,
                                   copy_problem, settings)

}  // namespace persia::sys

namespace persia::commands {

std::map<std::string, std::string> launch_environment() {
  constexpr std::array<std::string_view, 10> prefixes{
      "OMPI_COMM_WORLD_", "OMPI_MCA_", "PRTE_MCA_", "PMI_SIZE", "PMIX_RANK",
      "SLURM_",           "OMP_",      "UCX_",      "NCCL_",    "HDF5_USE_FILE_LOCKING"};
  std::map<std::string, std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const bool wanted = text.starts_with("CUDA_VISIBLE_DEVICES=") ||
                        std::ranges::any_of(prefixes, [&](auto prefix) { return text.starts_with(prefix); });
    if (wanted) result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

nlohmann::json to_json(const RankFacts& facts) {
  return {{"host", facts.host},
          {"mpi", facts.mpi},
          {"devices", facts.devices},
          {"environment", facts.environment}};
}

RankFacts rank_facts_from(const nlohmann::json& json) {
  return {.host = json.at("host").get<sys::HostFacts>(),
          .mpi = json.at("mpi").get<sys::MpiFacts>(),
          .devices = json.at("devices").get<std::vector<std::string>>(),
          .environment = json.at("environment").get<std::map<std::string, std::string>>()};
}

std::map<std::string, std::vector<int>> ranks_by_host(const JobFacts& job) {
  std::map<std::string, std::vector<int>> result;
  for (std::size_t i = 0; i < job.ranks.size(); ++i)
    result[job.ranks[i].host.host].push_back(static_cast<int>(i));
  return result;
}

}  // namespace persia::commands
