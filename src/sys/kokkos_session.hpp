// Life of Kokkos in this process: the one owner of Kokkos::initialize and Kokkos::finalize, and the place
// where a compute thread gets its number of threads (Kokkos and OpenMP libraries such as oneDNN share one
// team).
//
// `device` is what choose_device (device_team.hpp) answered: the GPU of the default execution space, or -1 in
// CPU builds.
//
// Made and destroyed in the compute thread, once per process: Kokkos cannot start again after its end.
// Everything that holds Kokkos memory (networks, optimizers) must be gone before it. Errors: UserError if
// threads < 1, Error if Kokkos was started before. Callers: train/, commands/, unit tests.
#pragma once

#include <string>

namespace persia::sys {

class KokkosSession {
 public:
  KokkosSession(int threads, int device);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  KokkosSession(KokkosSession&&) = delete;
  KokkosSession& operator=(KokkosSession&&) = delete;

  // Threads that kernels on the host really use.
  [[nodiscard]] static int threads();
  // "Kokkos 4.7.0, OpenMP". Needs no session.
  [[nodiscard]] static std::string backend();
};

}  // namespace persia::sys
