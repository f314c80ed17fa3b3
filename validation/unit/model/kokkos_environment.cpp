// One Kokkos session for all tests of this program: Kokkos starts once per process.
#include <gtest/gtest.h>

#include <memory>

#include "sys/kokkos_session.hpp"

namespace persia {
namespace {

class KokkosEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override { session_ = std::make_unique<sys::KokkosSession>(2, -1); }
  void TearDown() override { session_.reset(); }

 private:
  std::unique_ptr<sys::KokkosSession> session_;
};

const ::testing::Environment* const environment = ::testing::AddGlobalTestEnvironment(new KokkosEnvironment);

TEST(KokkosSession, UsesTheThreadsItWasGiven) {
  EXPECT_EQ(sys::KokkosSession::threads(), 2);
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
