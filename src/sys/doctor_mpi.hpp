// What MPI gives this launch: library, threads, the one-sided component behind a window, settings, and
// whether one rank may read another's memory (how Open MPI copies large messages on one host). No mpi.h here.
//
// Caller: `persia doctor`, from the communication thread.
#pragma once

#include <map>
#include <string>

#include "sys/communicator.hpp"

namespace persia::sys {

struct MpiFacts {
  std::string library{};
  std::string thread_level{};
  std::string component{};       // "sm", "rdma", "ucx", "pt2pt", ...; "" if it cannot be told
  std::string window_model{};    // "unified" or "separate"
  std::string window_problem{};  // MPI's reason why there is no window; "" if there is one
  std::string copy_problem{};    // why a neighbour's memory cannot be read; "" if it can, or there is none
  std::map<std::string, std::string> settings{};  // Open MPI's values of what chooses and tunes transports
};

// Collective over `world`, which stands on MPI. Makes a small window and frees it again.
[[nodiscard]] MpiFacts examine_mpi(const Communicator& world);

}  // namespace persia::sys
