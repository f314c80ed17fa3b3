// What `persia doctor` knows of a job: what every rank found out about itself.
//
// Plain values; ranks send theirs as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sys/doctor_host.hpp"
#include "sys/doctor_mpi.hpp"

namespace persia::commands {

struct RankFacts {
  sys::HostFacts host{};
  sys::MpiFacts mpi{};
  std::vector<std::string> devices{};                // describe_devices()
  std::map<std::string, std::string> environment{};  // launch_environment()
};

struct JobFacts {
  std::vector<RankFacts> ranks{};  // by world rank; at least one
  std::int64_t threads = 0;        // that a rank is to compute with; 0 = not said
};

// The variables of this process that launchers set, and those that tune what this program uses.
[[nodiscard]] std::map<std::string, std::string> launch_environment();

[[nodiscard]] nlohmann::json to_json(const RankFacts& facts);
// Pre: made by to_json.
[[nodiscard]] RankFacts rank_facts_from(const nlohmann::json& json);

// Host -> world ranks on it.
[[nodiscard]] std::map<std::string, std::vector<int>> ranks_by_host(const JobFacts& job);

}  // namespace persia::commands
