// Life of MPI in this process: the one owner of MPI_Init_thread and MPI_Finalize.
#pragma once

#include <string>

namespace persia::sys {

class MpiSession {
 public:
  // Asks for MPI_THREAD_FUNNELED and warns in the log if the library gives less.
  MpiSession(int* argc, char*** argv);
  ~MpiSession();  // finalizes, unless an exception is in flight on purpose of abort()
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  MpiSession(MpiSession&&) = delete;
  MpiSession& operator=(MpiSession&&) = delete;

  [[nodiscard]] static bool active();               // initialised and not finalised
  [[nodiscard]] static std::string library();       // "Open MPI v4.1.4 ..."
  [[nodiscard]] static std::string thread_level();  // "funneled"
  [[nodiscard]] static std::string host();
  // True if the process was started by a launcher (mpirun, srun, PMIx): rank variables are in the
  // environment.
  [[nodiscard]] static bool launched();
  // The rank that the launcher's variables give this process, before MPI starts; 0 without a launcher.
  [[nodiscard]] static int launched_rank();
  // Ends the whole job. Does not return.
  [[noreturn]] static void abort(int exit_code);
};

}  // namespace persia::sys
