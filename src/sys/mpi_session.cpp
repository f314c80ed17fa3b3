#include "sys/mpi_session.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "base/log.hpp"
#include "sys/mpi_check.hpp"

namespace persia::sys {

namespace {

std::string name_of_level(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "single";
    case MPI_THREAD_FUNNELED:
      return "funneled";
    case MPI_THREAD_SERIALIZED:
      return "serialized";
    case MPI_THREAD_MULTIPLE:
      return "multiple";
    default:
      return fmt::format("level {}", level);
  }
}

}  // namespace

MpiSession::MpiSession(int* argc, char*** argv) {
  int initialised = 0;
  check_mpi(MPI_Initialized(&initialised), "MPI_Initialized");
  require(initialised == 0, "MPI was started twice in one process; keep one MpiSession, in main");
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (provided < MPI_THREAD_FUNNELED)
    log::warn(
        "{} gives thread level '{}' where 'funneled' was asked for; only one thread of this program "
        "calls MPI, so it goes on",
        library(), name_of_level(provided));
}

MpiSession::~MpiSession() {
  if (may_free_handles()) MPI_Finalize();
}

bool MpiSession::active() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

std::string MpiSession::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

std::string MpiSession::thread_level() {
  if (!active()) return "none";
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
  return name_of_level(provided);
}

std::string MpiSession::host() {
  std::array<char, 256> name{};
  require(gethostname(name.data(), name.size() - 1) == 0, "the host's name cannot be read (gethostname)");
  return name.data();
}

bool MpiSession::launched() {
  constexpr std::array names = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_STEP_ID"};
  return std::ranges::any_of(names, [](const char* name) { return std::getenv(name) != nullptr; });
}

int MpiSession::launched_rank() {
  constexpr std::array names = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (const char* name : names)
    if (const char* rank = std::getenv(name)) return std::atoi(rank);
  return 0;
}

void MpiSession::abort(int exit_code) {
  std::fflush(nullptr);
  if (active()) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace persia::sys
