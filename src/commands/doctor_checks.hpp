// What is wrong with a launch, and what to do about it. Pure functions of gathered facts.
#pragma once

#include <string>
#include <vector>

#include "commands/doctor_facts.hpp"

namespace persia::commands {

struct Finding {
  std::string name;     // "one-core", for scripts
  std::string problem;  // with the figures that show it
  std::string remedy;   // what to type or ask for
};

// In the order in which they should be mended: launch, one-sided communication, memory, cores, network, GPUs.
[[nodiscard]] std::vector<Finding> diagnose(const JobFacts& job);

}  // namespace persia::commands
