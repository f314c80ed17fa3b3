// All ranks stop together, with one message, or none does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "sys/communicator.hpp"

namespace persia::roles {

// Runs `action` on every rank; if it threw anywhere, throws on every rank: the rank with the lowest number
// that failed rethrows its own exception, the others throw StoppedElsewhere with the same exit code.
// Collective over `comm`.
void agree(const sys::Communicator& comm, const std::function<void()>& action);

// Thrown by agree() on ranks that have nothing to say themselves; main exits with its code and prints
// nothing.
struct StoppedElsewhere {
  int exit_code = 1;
};

// UserError on all ranks, naming key, values and ranks, unless every rank gives the same map. Collective over
// `comm`. Used for the resolved run file (key by key), PERSIA_* variables, and the list of data files with
// sizes.
void require_equal(const sys::Communicator& comm, const std::string& what,
                   const std::map<std::string, std::string>& facts);

}  // namespace persia::roles
