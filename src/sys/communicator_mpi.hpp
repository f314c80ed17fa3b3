// What stands behind Communicator and Request. For sources of sys/ only: it includes mpi.h.
#pragma once

#include <mpi.h>

#include <vector>

#include "sys/communicator.hpp"

namespace persia::sys {

// Message tags of this program, all in one place. mail/ has a communicator of its own.
enum class Tag : int { gather = 1, mail = 2, never = 3 };

// Owns the communicator; MPI_COMM_NULL stands for Communicator::self().
struct Communicator::Handle {
  explicit Handle(MPI_Comm owned);
  ~Handle();  // frees; leaves it to the operating system while MPI is down or an exception unwinds
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&&) = delete;
  Handle& operator=(Handle&&) = delete;

  [[nodiscard]] bool alone() const { return comm == MPI_COMM_NULL; }

  MPI_Comm comm;
  int rank = 0;
  int size = 1;
};

struct Request::Handle {
  std::vector<MPI_Request> parts;
};

}  // namespace persia::sys
