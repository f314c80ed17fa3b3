#include "sys/kokkos_session.hpp"

#include <Kokkos_Core.hpp>

#include "base/error.hpp"

namespace persia::sys {

KokkosSession::KokkosSession(int threads, int device) {
  require_user(threads >= 1, "training.threads is {}, give at least 1 (0 in the run file chooses by itself)",
               threads);
  require(!Kokkos::is_initialized() && !Kokkos::is_finalized(),
          "Kokkos was started twice in one process; keep one KokkosSession for its whole life");
  // Placement is the launcher's business and checked elsewhere, so Kokkos's own advice on OMP_PROC_BIND stays
  // silent.
  Kokkos::InitializationSettings settings;
  settings.set_num_threads(threads).set_disable_warnings(true);
  if (device >= 0) settings.set_device_id(device);
  Kokkos::initialize(settings);
}

KokkosSession::~KokkosSession() {
  Kokkos::finalize();
}

int KokkosSession::threads() {
  return Kokkos::DefaultHostExecutionSpace().concurrency();
}

std::string KokkosSession::backend() {
  constexpr int version = KOKKOS_VERSION;
  return fmt::format("Kokkos {}.{}.{}, {}", version / 10000, version / 100 % 100, version % 100,
                     Kokkos::DefaultExecutionSpace::name());
}

}  // namespace persia::sys
