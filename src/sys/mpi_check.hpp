// The check behind every MPI call of this program. For sources of sys/ only: it includes mpi.h.
#pragma once

#include <mpi.h>

#include <source_location>
#include <string>
#include <string_view>

namespace persia::sys {

// MPI's own words for a code; usable for codes of any class, never throws for a bad code.
[[nodiscard]] std::string mpi_text(int code);

// Post: code was MPI_SUCCESS. Throws Error naming the call and MPI's reason otherwise.
void check_mpi(int code, std::string_view call, std::source_location where = std::source_location::current());

// Whether handles may still be freed: MPI runs, and no exception is unwinding the stack. Frees may be
// collective, and a rank that is failing must not wait for ranks that are not.
[[nodiscard]] bool may_free_handles();

}  // namespace persia::sys
