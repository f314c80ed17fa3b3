// One Kokkos session for all tests of this program: Kokkos starts once per process. OMP_NUM_THREADS, if set,
// gives its threads. In builds for GPUs all tests are skipped where none is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "sys/kokkos_session.hpp"

namespace persia {
namespace {

int wanted_threads() {
  const char* given = std::getenv("OMP_NUM_THREADS");
  return given != nullptr ? std::max(1, std::atoi(given)) : 2;
}

class KokkosEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override { session_ = std::make_unique<sys::KokkosSession>(wanted_threads(), -1); }
  void TearDown() override { session_.reset(); }

 private:
  std::unique_ptr<sys::KokkosSession> session_;
};

const ::testing::Environment* const environment = ::testing::AddGlobalTestEnvironment(new KokkosEnvironment);

TEST(KokkosSession, UsesTheThreadsItWasGiven) {
  EXPECT_EQ(sys::KokkosSession::threads(), wanted_threads());
}

TEST(KokkosSession, NamesItsBackend) {
  EXPECT_TRUE(sys::KokkosSession::backend().starts_with("Kokkos 4."));
}

TEST(KokkosSession, RefusesASecondOneAndNoThreads) {
  EXPECT_ANY_THROW(sys::KokkosSession(2, -1));
  EXPECT_ANY_THROW(sys::KokkosSession(0, -1));
}

}  // namespace
}  // namespace persia
