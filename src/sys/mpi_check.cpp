#include "sys/mpi_check.hpp"

#include <array>
#include <exception>

#include "base/error.hpp"
#include "sys/mpi_session.hpp"

namespace persia::sys {

std::string mpi_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) return fmt::format("MPI code {}", code);
  return {text.data(), static_cast<std::size_t>(length)};
}

void check_mpi(int code, std::string_view call, std::source_location where) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  throw Error(fmt::format("{} failed: {}", call, mpi_text(code)), where);
}

bool may_free_handles() {
  return MpiSession::active() && std::uncaught_exceptions() == 0;
}

}  // namespace persia::sys
