// All ranks stop together, with one message, or none does.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>

#include "sys/communicator.hpp"

namespace persia::roles {

// Thrown by agree() on every rank: all of them stop here, in an orderly way, with one exit code. Exactly one
// rank has `own` set, the exception that it shall report; the others have nothing to say.
struct StoppedTogether {
  int exit_code = 1;
  std::exception_ptr own;
};

// Runs `action` on every rank; if it threw anywhere, throws StoppedTogether on every rank. The rank with the
// lowest number that failed with something to say speaks. Agreements nest. Collective over `comm`, so
// `action` must not leave others waiting within. A StuckError goes through at once: ranks that are stuck come
// to no agreement.
void agree(const sys::Communicator& comm, const std::function<void()>& action);

// UserError on all ranks, naming key, values and ranks, unless every rank gives the same map. Collective over
// `comm`; within agree() one rank speaks for all. Used for the resolved run file (key by key), PERSIA_*
// variables, and the list of data files with sizes.
void require_equal(const sys::Communicator& comm, const std::string& what,
                   const std::map<std::string, std::string>& facts);

}  // namespace persia::roles
