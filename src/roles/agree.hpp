// All ranks stop together, with one message, or none does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "sys/communicator.hpp"

namespace persia::roles {

// Thrown by agree() on ranks that have nothing to say themselves; main exits with its code and prints
// nothing.
struct StoppedElsewhere {
  int exit_code = 1;
};

// Runs `action` on every rank; if it threw anywhere, throws on every rank: the rank with the lowest number
// that failed with something to say rethrows its own exception, the others throw StoppedElsewhere with that
// exit code. Agreements nest. Collective over `comm`, so `action` must not leave others waiting within.
void agree(const sys::Communicator& comm, const std::function<void()>& action);

// UserError on all ranks, naming key, values and ranks, unless every rank gives the same map. Collective over
// `comm`; within agree() one rank speaks for all. Used for the resolved run file (key by key), PERSIA_*
// variables, and the list of data files with sizes.
void require_equal(const sys::Communicator& comm, const std::string& what,
                   const std::map<std::string, std::string>& facts);

}  // namespace persia::roles
