#include <optional>

#include "gpu_test.hpp"
#include "sys/kokkos_session.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::optional<persia::sys::KokkosSession> kokkos;
  if (persia::cuda::gpu_is_seen()) kokkos.emplace(1, 0);
  return RUN_ALL_TESTS();
}
